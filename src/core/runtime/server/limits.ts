/** Size limit of bodies, inbound and outbound, and the error reply to a larger one. */
import type { Host } from './host.ts'
import type { OutgoingReply } from './messages.ts'

/** Maximum body size in bytes. */
export const maxBodyBytes = 10 * 1024 * 1024

/** The limit in messages. */
export const maxBodyText = `${maxBodyBytes / 1024 / 1024} MB`

export const bodyTooLargeReply = (host: Pick<Host, 'error'>): OutgoingReply =>
  host.error('PAYLOAD_TOO_LARGE', `the body is over ${maxBodyText}`)
