/** How a recorded request is signed when it is sent again. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Settings } from '../../core/engine/settings.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { judgeExchange } from '../minimise/judge-exchange.ts'
import { signedAnew } from './compose-request.ts'

const settings = {
  conduct: { signature: 'hmac-sha256-hex' },
  clients: [{ role: 'software-service', clientId: 'a', clientSecret: 'b' }],
} as unknown as Settings

const refused = (code: string, status = 401) => ({
  status,
  headers: [] as HeaderPairs,
  body: JSON.stringify({ error: { code } }),
})

/** A webhook with a wrong signature. */
function webhook(reply: ReturnType<typeof refused>) {
  const { operation: _, params: __, ...rest } = sampleExchange(1)
  const headers = [['x-app-signature', '00ff']] as const
  return {
    ...rest,
    recordId: 'r1',
    to: { role: 'software-service', party: 'subject' } as const,
    request: { method: 'POST', url: 'http://127.0.0.1/webhooks', headers, body: '{}' },
    reply,
  }
}

test.each([
  ['was refused for it', refused('INVALID_SIGNATURE'), true],
  ['was refused for its token', refused('UNAUTHORIZED'), false],
  ['was refused for another reason that names it', refused('NO_SIGNATURE_NEEDED', 409), false],
  ['was accepted', { ...refused('', 204), body: '' }, false],
] as const)('a signature of a request that %s', (_, reply, isKept) => {
  const parts = { url: 'http://127.0.0.1/webhooks', body: '{}' }
  const { 'x-app-signature': signature } = signedAnew(webhook(reply), parts, settings)
  expect(signature === '00ff').toBe(isKept)
  expect(signature).toBeDefined()
})

test.each([
  ['INVALID_SIGNATURE', 'it would not have our signature'],
  ['UNAUTHORIZED', 'it would have neither our token nor another one'],
])('a refusal with 401 %s says what was refused: %s', (code, because) => {
  const recorded = webhook({ status: 204, headers: [], body: '' })
  const live = webhook(refused(code))
  const judged = judgeExchange({ recorded, live, differences: [], conflicts: [] })
  expect(judged.standing).toBe('auth')
  expect(judged.because).toContain(because)
})
