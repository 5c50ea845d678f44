/** Read-only session API for a recording without a target: every change is refused or ignored. */
import { no } from '../../protocol/result.ts'
import type { SessionApi } from '../../session-api/session-api.ts'

const refusal = {
  code: 'UNPROCESSABLE',
  message: 'nothing is sent without a target: open it with --to <url of your service>',
} as const

export const readOnlySession = (session: SessionApi): SessionApi => ({
  ...session,
  submit: () => Promise.resolve(no(refusal)),
  createOrder: () => Promise.resolve(no(refusal)),
  fork: () => Promise.resolve(no(refusal)),
  judge: () => Promise.resolve([]),
  step: () => Promise.resolve(undefined),
  setClock: () => Promise.resolve(),
  advance: () => Promise.resolve(),
  reset: () => Promise.resolve(),
})
