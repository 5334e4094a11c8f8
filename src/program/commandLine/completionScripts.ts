/**
 * The script of bash. It hands over the words of the line as they stand, without evaluating any, and leaves out
 * redirections: they are no words of the command, and their files must not be touched. It runs in bash 3.2 as well, and
 * whatever breaks words there (`=` and `:` by default).
 */
const bash = `# bash completion for skydeck
__skydeck_complete() {
    COMPREPLY=()
    local line=\${COMP_LINE:0:COMP_POINT} nth word gap before='' redirects='' lead='' found
    local -a words=()
    for ((nth = 0; nth <= COMP_CWORD; nth++)); do
        word=\${COMP_WORDS[nth]}
        if ((nth == COMP_CWORD)); then
            gap=\${line%%[![:space:]]*}
            word=\${line#"$gap"}
        else
            gap=\${line%%"$word"*}
            line=\${line#*"$word"}
        fi
        if [[ $word =~ ^[\\<\\>\\&\\|]+$ && $word == *[\\<\\>]* ]]; then
            # The number before it belongs to it.
            [[ -z $gap && $before =~ ^[0-9]+$ ]] && unset "words[\${#words[@]}-1]"
            redirects=1
        elif [[ -n $redirects ]]; then
            redirects=
            ((nth < COMP_CWORD)) || redirects=file
        elif [[ -z $gap && nth -gt 0 && ($word == [=:]* || $before == *[=:]) ]]; then
            words[\${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        before=$word
    done
    if [[ -n $redirects ]]; then
        compopt -o default 2>/dev/null
        return
    fi
    local last=\${words[\${#words[@]}-1]}
    [[ $last == --*=* ]] && lead=\${last%%=*}=
    # Readline replaces what follows the last break.
    [[ $word =~ ^[=:]+$ ]] && word=
    while IFS= read -r found; do
        [[ $found =~ ^:[0-9]+$ ]] && continue
        found=$lead\${found%%$'\\t'*}
        [[ $found == "$last"* ]] && COMPREPLY+=("\${found#"\${last%"$word"}"}")
    done < <(skydeck complete -- "\${words[@]:1}" 2>/dev/null </dev/null)
    [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F __skydeck_complete skydeck
`;

/** The script of fish; a value behind \`--option=\` is offered with it, as fish compares whole words. */
const fish = `# fish completion for skydeck
function __skydeck_complete
    set -l last (commandline -ct)
    set -l before (commandline -opc)
    set -l lead (string match -r -- '^--[^=]*=' "$last")
    for found in (skydeck complete -- $before[2..-1] "$last" 2>/dev/null </dev/null)
        string match -qr -- '^:[0-9]+$' $found; or printf '%s%s\\n' "$lead" $found
    end
end
complete -c skydeck -e
complete -c skydeck -f -a '(__skydeck_complete)'
`;

/** The scripts that are our own, by shell. */
export const ownScripts: Readonly<Record<string, string>> = { bash, fish };
