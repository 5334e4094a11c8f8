export function HomeScreen(_: {width:number;height:number}) { return null; }
