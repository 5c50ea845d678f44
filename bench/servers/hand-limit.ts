/** A declared limit by hand: so many requests in a second, and a body of so many bytes. */
import { type HandAnswer, problem } from './hand-http.ts'

const mostBytes = 1024 * 1024

export function createLimit(most: number): (bytes: number) => HandAnswer | undefined {
  let since = 0
  let count = 0
  return (bytes) => {
    const now = Date.now()
    if (now - since >= 1000) {
      since = now
      count = 0
    }
    if (++count > most) return problem(429, 'RATE_LIMITED')
    return bytes > mostBytes ? problem(413, 'PAYLOAD_TOO_LARGE') : undefined
  }
}
