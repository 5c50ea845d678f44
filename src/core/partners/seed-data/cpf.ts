/**
 * Random CPF numbers (Brazilian taxpayer id): nine digits and two check digits. A subject may verify the check digits, so
 * they are valid.
 */
import type { Chance } from '../../engine/chance.ts'

/** The next check digit: the sum of the digits so far, weighted 2, 3, 4 … from the right, modulo 11. */
function checkDigit(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, index) => total + digit * (digits.length + 1 - index), 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

/** The ninth digit is the region of issue; 8 is São Paulo. */
const saoPaulo = 8

/** Eleven digits without punctuation, as in order documents. */
export function drawCpf(chance: Chance): string {
  const digits = Array.from({ length: 8 }, () => chance.below(10))
  digits.push(saoPaulo)
  digits.push(checkDigit(digits))
  digits.push(checkDigit(digits))
  return digits.join('')
}
