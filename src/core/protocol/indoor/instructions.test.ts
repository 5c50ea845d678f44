import { describe, expect, test } from 'vitest'
import { readPaymentInstruction } from './instructions.ts'

describe('the short form of a payment method is normalised', () => {
  test.each([
    ['PIX', 'PIX'],
    ['CREDIT', 'CREDIT_CARD'],
    ['FOOD_VOUCHER', 'VOUCHER'],
    ['barter', 'OTHER'],
    ['constructor', 'OTHER'],
    ['toString', 'OTHER'],
    ['__proto__', 'OTHER'],
  ])('%s becomes %s', (method, meant) => {
    expect(readPaymentInstruction({ amount: 1, method })).toEqual({
      ok: true,
      value: { amount: 1, methodInfo: { method: meant } },
    })
  })
})
