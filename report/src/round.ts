/// The largest of 1, 2, 5 times a power of ten that is not above `value`.
export function roundDown(value: number): number {
  const power = Number(`1e${Math.floor(Math.log10(value) + 1e-9)}`);
  return power * ([5, 2, 1].find((digit) => digit * power <= value * (1 + 1e-9)) ?? 1);
}
