/** How much of a body is taken, on every way in and out, and what is answered to more. */
import type { Host } from './host.ts'
import type { Outgoing } from './messages.ts'

/** Bytes of a body at most. */
export const bodyLimit = 10 * 1024 * 1024

/** The limit as a person reads it. */
export const bodyLimitText = `${bodyLimit / 1024 / 1024} MB`

export const tooLarge = (host: Pick<Host, 'error'>): Outgoing =>
  host.error('PAYLOAD_TOO_LARGE', `the body is over ${bodyLimitText}`)
