/** A share as people read it: `0.3 %`, `12 %`. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value === 0 ? "0" : value < 0.05 ? "< 0.1" : value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

/** A clock as people read it: `3.40 GHz`. */
export function gigahertz(kHz: number): string {
  return `${(kHz / 1e6).toFixed(2)} GHz`;
}
