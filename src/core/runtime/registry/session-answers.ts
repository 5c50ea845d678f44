/** Whether a session answers: its control API, or the first of its ports where it has none. */
import { connect } from 'node:net'
import { joinUrl } from '../../base/join-url.ts'
import type { SessionDetails } from './session-entry.ts'

/** The first request to a control API loads its routes. */
const timeoutMs = 5000

/** Whether something answers at a control URL as the control API of a session does. */
export async function controlAnswers(control: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(joinUrl(control, '/health'), { signal })
    const body: unknown = await response.json()
    return response.ok && typeof body === 'object' && body !== null && 'status' in body
  } catch {
    return false
  }
}

const isListening = (url: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: timeoutMs })
    const done = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => done(true))
    socket.once('timeout', () => done(false))
    socket.once('error', () => done(false))
  })

export async function sessionAnswers({ control, counterparts }: SessionDetails): Promise<boolean> {
  if (control !== undefined) return controlAnswers(control)
  const [url] = Object.values(counterparts)
  return url !== undefined && isListening(new URL(url))
}
