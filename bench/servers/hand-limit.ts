/** Hand-written limits: requests per second, and bytes of a body. */
import { type HandReply, problemReply } from './hand-http.ts'

const maxBodyBytes = 1024 * 1024

export function createRequestLimit(maxPerSecond: number): (bytes: number) => HandReply | undefined {
  let windowStart = 0
  let count = 0
  return (bytes) => {
    const now = Date.now()
    if (now - windowStart >= 1000) {
      windowStart = now
      count = 0
    }
    if (++count > maxPerSecond) return problemReply(429, 'RATE_LIMITED')
    return bytes > maxBodyBytes ? problemReply(413, 'PAYLOAD_TOO_LARGE') : undefined
  }
}
