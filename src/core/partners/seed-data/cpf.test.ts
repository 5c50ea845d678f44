import { expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { drawCpf } from './cpf.ts'

/** Independent check: weights 10 to 2, then 11 to 2; ten times the sum modulo 11, where ten counts as 0. */
function checks(cpf: string): boolean {
  const digits = Array.from(cpf, Number)
  const expected = (upTo: number): number => {
    let sum = 0
    for (let index = 0; index < upTo; index++) sum += digits[index]! * (upTo + 1 - index)
    return ((sum * 10) % 11) % 10
  }
  return /^\d{11}$/.test(cpf) && expected(9) === digits[9] && expected(10) === digits[10]
}

test('the independent check accepts valid numbers and rejects invalid ones', () => {
  for (const right of ['11144477735', '52998224725']) expect(checks(right)).toBe(true)
  for (const wrong of ['11144477734', '52998224752', '1114447773'])
    expect(checks(wrong)).toBe(false)
})

test('every generated CPF has valid check digits and the region São Paulo', () => {
  const chance = createChance(3)
  const drawn = Array.from({ length: 3000 }, () => drawCpf(chance))
  expect(drawn.filter((cpf) => !checks(cpf))).toEqual([])
  expect(new Set(drawn.map((cpf) => cpf[8]))).toEqual(new Set(['8']))
  expect(new Set(drawn).size).toBeGreaterThan(2990)
})
