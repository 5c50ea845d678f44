import { expect, test } from 'vitest'
import { trafficFilter } from './traffic-filter.ts'

test('more than one "!" before a word is refused, however many there are', () => {
  for (const text of ['!!failed', '!'.repeat(20_000), `${'!'.repeat(20_000)}failed`])
    expect(trafficFilter(text)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^"!!.{0,40}" has more than one "!" before its word$/),
    })
})
