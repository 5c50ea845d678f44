/** Calls the Ordering Application with an access token, one attempt at a time, and reads what it sends. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const { ORDERING_URL = 'http://127.0.0.1:7101', CLIENT_ID = 'subject' } = process.env
const { CLIENT_SECRET: clientSecret = 'secret' } = process.env

/** Concurrent calls share one request for a token. */
let token
/** Until when the partner has asked us to wait. */
let waitUntil = 0

async function requestToken() {
  const form = { grant_type: 'client_credentials', client_id: CLIENT_ID, scope: 'proto.orders' }
  const answer = await fetch(`${ORDERING_URL}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, client_secret: clientSecret }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`the token request is answered ${answer.status}`)
  return (await answer.json()).access_token
}

/** Milliseconds that the partner asks us to wait: Retry-After is a number of seconds, or a date. */
function retryAfterMs(value) {
  if (value === null) return 0
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now() || 0
}

/** The answer, refusals too; rejects where the same call may succeed later. */
export async function call(method, path, data, isSecondTry = false) {
  await pause(Math.max(0, waitUntil - Date.now()))
  const used = (token ??= requestToken())
  used.catch(() => (token = undefined))
  const answer = await fetch(ORDERING_URL + path, {
    method,
    headers: { authorization: `Bearer ${await used}`, 'content-type': 'application/json' },
    ...(data && { body: JSON.stringify(data) }),
    signal: AbortSignal.timeout(10_000),
  })
  const { status, ok } = answer
  const text = await answer.text()
  waitUntil = Math.max(waitUntil, Date.now() + retryAfterMs(answer.headers.get('retry-after')))
  if (status === 401 && token === used) token = undefined
  if (status === 401 && !isSecondTry) return call(method, path, data, true)
  if (status === 401 || status === 429 || status >= 500)
    throw new Error(`${method} ${path} is answered ${status}`)
  return { ok, json: ok && text !== '' ? JSON.parse(text) : undefined }
}

export function isSigned(body, signature = '') {
  const expected = createHmac('sha256', clientSecret).update(body).digest()
  const received = Buffer.from(signature, 'hex')
  return received.length === expected.length && timingSafeEqual(received, expected)
}

/** Undefined for what is no JSON. */
export function parse(body) {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
