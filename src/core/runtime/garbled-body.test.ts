/** Bodies that are no UTF-8: refused at every host and at the control API, since characters would be lost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHostClient } from '../../../test/support/host-client.ts'
import { openSession } from '../session/open-session.ts'
import type { Session } from '../session-api/session.ts'
import { startControl } from './control/control.ts'

let session: Session
let inProcess: Session
beforeAll(async () => {
  session = await openSession({ port: 0, clock: 'stepped' })
  inProcess = await openSession({ listen: false, clock: 'stepped' })
})
afterAll(() => Promise.all([session.close(), inProcess.close()]))

/** `{"reason":"café"}` with the last letter of the word in these bytes. */
const bodyWith = (...bytes: number[]): Buffer =>
  Buffer.concat([Buffer.from('{"reason":"caf'), Buffer.from(bytes), Buffer.from('"}')])

const latin1 = bodyWith(0xe9)
const refusal =
  'the body is no UTF-8 text, as JSON must be (RFC 8259, 8.1): encode it as UTF-8, and send it without Content-Encoding'

async function confirm(at: Session, body: Buffer, type = 'application/json') {
  const base = at.urls.get('ordering-application') ?? ''
  const send = (request: Request): Promise<Response> =>
    at === session ? fetch(request) : at.fetch(request)
  const created = await at.createOrder({ type: 'TAKEOUT' })
  const id = created.ok ? created.value.orderId : ''
  const token = await createHostClient({ fetch: send, base }).token()
  const answer = await send(
    new Request(`${base}/orders/${id}/requestCancellation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: new Uint8Array(body),
    }),
  )
  const text = await answer.text()
  return { status: answer.status, text }
}

test.each(['over a socket', 'in this process'])(
  '[TRN-CON-03] Latin-1 is refused %s, and UTF-8 is not',
  async (place) => {
    const at = place === 'over a socket' ? session : inProcess
    const refused = await confirm(at, latin1)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(refusal)
    // A media type that names Latin-1 changes nothing.
    expect((await confirm(at, latin1, 'application/json; charset=iso-8859-1')).status).toBe(400)
    // Cut in a character, a surrogate, an overlong form.
    for (const bytes of [[0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]])
      expect((await confirm(at, bodyWith(...bytes))).text).toContain(refusal)
    expect((await confirm(at, bodyWith(0xc3, 0xa9))).text).not.toContain('UTF-8')
    // The sign that stands for lost bytes may also be sent.
    expect((await confirm(at, bodyWith(0xef, 0xbf, 0xbd))).text).not.toContain('UTF-8')
  },
)

test('it is refused again where an operator sends it again in place of the service', async () => {
  await using served = await openSession({
    listen: false,
    clock: 'stepped',
    as: 'software-service',
  })
  await confirm(served, latin1)
  const { traffic } = await served.look({ traffic: { limit: 1 } })
  const again = await served.resend(traffic[0]?.seq ?? 0)
  expect(again).toMatchObject({ ok: true, value: { status: 400 } })
})

test('the control API refuses it too, and a number that it would round', async () => {
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  const post = async (body: Buffer | string): Promise<string> => {
    const sent = typeof body === 'string' ? body : new Uint8Array(body)
    const answer = await fetch(`${control.url}/orders`, { method: 'POST', body: sent })
    return `${answer.status} ${await answer.text()}`
  }
  expect(await post(latin1)).toContain(`"message":"${refusal}"`)
  const long = await post('{"order":{"items":[],"partnerId":4634343214213523454}}')
  expect(long).toMatch(
    /^400 .*the number 4634343214213523454 has more digits than a program keeps of a number \(it would become 4634343214213523000\): write it as a text, in quotes/,
  )
  expect(await post('{"type":"TAKEOUT"}')).toMatch(/^201 /)
  await control.close()
})
