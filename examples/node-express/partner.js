/** Calls the Ordering Application with an access token, which is renewed when it has expired or is refused. */
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds before each further attempt of a call that failed. */
const retryPauses = [200, 1000, 3000]

const isTemporary = (status) => status === 401 || status === 429 || status >= 500

export function createPartner({ url, clientId, clientSecret }) {
  /** Concurrent calls share one token request. */
  let token
  let renewAt = 0

  async function requestToken() {
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope: 'proto.orders',
      }),
      signal: AbortSignal.timeout(10_000),
    })
    if (!answer.ok) throw new Error(`the token request is answered ${answer.status}`)
    const issued = await answer.json()
    renewAt = Date.now() + 900 * (issued.expires_in ?? 60)
    return issued.access_token
  }

  async function attempt(method, path) {
    if (token === undefined || Date.now() >= renewAt) {
      renewAt = Infinity
      token = requestToken()
      token.catch(() => (token = undefined))
    }
    const used = token
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${await used}` },
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.status === 401 && token === used) token = undefined
    return { status: answer.status, text: await answer.text() }
  }

  return {
    clientSecret,
    /** The JSON of the reply; a call that may succeed later is repeated. */
    async call(method, path) {
      for (let attempts = 0; ; attempts++) {
        const { status, text } = await attempt(method, path).catch((error) => ({
          status: 503,
          text: String(error.cause ?? error),
        }))
        if (status < 300) return text === '' ? undefined : JSON.parse(text)
        if (!isTemporary(status) || attempts === retryPauses.length)
          throw new Error(`${method} ${path} failed with ${status}: ${text}`)
        await pause(retryPauses[attempts])
      }
    },
  }
}
