import type { Draft } from '../resource.ts';

const codes = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** ISO 3166-2 codes of the two countries that take nothing else (document 1, 2.2); AA, AE and AP are military addresses. */
const statesOf: Readonly<Record<string, { of: string; codes: ReadonlySet<string> }>> = {
  US: {
    of: 'the two letters of a US state, e.g. NY, or AA, AE or AP for the military',
    codes: codes(
      'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI AA AE AP',
    ),
  },
  CA: {
    of: 'the two letters of a Canadian province, e.g. ON',
    codes: codes('AB BC MB NB NL NS NT NU ON PE QC SK YT'),
  },
};

/** Says why a state or province is wrong in the country of the draft, as the end of a sentence. */
export function stateComplaint(state: string, { country }: Draft): string | undefined {
  const rule = statesOf[String(country)];
  return rule && !rule.codes.has(state) ? `must be ${rule.of}, because Country is ${country}` : undefined;
}

const maxInZip = 9;

/** Says why a postal code is wrong, as the end of a sentence. */
export function zipComplaint(zip: string): string | undefined {
  const count = zip.replace(/[^A-Za-z0-9]/g, '').length;
  return count > maxInZip ? `must have at most ${maxInZip} letters and digits; it has ${count}` : undefined;
}
