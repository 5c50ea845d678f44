/** Size limit of bodies, inbound and outbound, and the error reply to a larger one. */
import type { Host } from './host.ts'
import type { Outgoing } from './messages.ts'

/** Maximum body size in bytes. */
export const bodyLimit = 10 * 1024 * 1024

/** The limit in messages. */
export const bodyLimitText = `${bodyLimit / 1024 / 1024} MB`

export const tooLarge = (host: Pick<Host, 'error'>): Outgoing =>
  host.error('PAYLOAD_TOO_LARGE', `the body is over ${bodyLimitText}`)
