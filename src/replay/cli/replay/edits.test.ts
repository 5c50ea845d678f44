/**
 * `--set`, `--from` and `--only '#n'` over real sockets: what the service receives, is answered and the report says.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clientAt } from '../../../../test/support/plain-client.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { openReceiver, receiverSession } from '../../../../test/support/webhook-receiver.ts'
import { createHmac } from 'node:crypto'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { openSession } from '../../../core/session/open-session.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'
import { words } from '../../../../test/support/shell-words.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-edits-'))
const recording = join(folder, 'evening.rec.ndjson')
let exchanges: readonly RecordedExchange[] = []

const numbers = (operation: string): readonly number[] =>
  exchanges.flatMap((each) => (each.operation === operation ? [each.seq] : []))

/** A service that takes two orders by webhook, and reads and confirms the first. */
beforeAll(async () => {
  await using service = await openReceiver()
  const came = (count: number): Promise<void> =>
    vi.waitFor(() => expect(service.received).toHaveLength(count))
  {
    await using session = await openSession(receiverSession(service.url, recording))
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    const ask = await clientAt(session.urls.get('ordering-application') ?? '')
    const { orderId } = made.value
    await came(1)
    await ask('GET', `/orders/${orderId}`)
    await ask('POST', `/orders/${orderId}/confirm`, { estimatedPreparationTimeMinutes: 20 })
    await came(2)
    await session.createOrder({ type: 'TAKEOUT' })
    await came(3)
  }
  const read = await readRecording(recording)
  if (!read.ok) throw new Error(read.error)
  ;({ exchanges } = read.value)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Arrived {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A service that takes everything, and gives out tokens. */
async function openService() {
  const arrived: Arrived[] = []
  const server = await listenOnSocket((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      if (url === '/oauth/token') {
        const token = { access_token: 'of-the-service', token_type: 'Bearer', expires_in: 3600 }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token))
        return
      }
      arrived.push({ method, url, headers, text })
      response.writeHead(204).end()
    })
  })
  return { ...server, arrived }
}

function start(...argv: readonly string[]) {
  const held = createTestIo({ cwd: folder })
  return { held, ending: runVerbs(['replay', recording, ...argv], held.io) }
}

async function replayed(url: string, ...argv: readonly string[]) {
  const flags = ['--to', url, '--speed', 'asap', '--no-answers']
  const { held, ending } = start(...flags, ...argv)
  const code = await ending.catch((error: unknown) => String(error))
  return { code, ...held.written() }
}

interface EventBody {
  readonly eventId: string
  readonly orderId: string
  readonly eventType: string
  readonly reason?: string
}
const eventOf = ({ text }: Pick<Arrived, 'text'>): EventBody => JSON.parse(text) as EventBody

describe('what we send', () => {
  test('a changed body is signed anew, its known ids are renewed, and the report says what was changed', async () => {
    await using service = await openReceiver()
    const [first = 0, second = 0, third = 0] = numbers('receiveOrderEvent')
    const other = exchanges.find(({ seq }) => seq === third)?.orderId ?? ''
    const { code, stdout } = await replayed(
      service.url,
      '--set',
      `#${second} $.reason="late"`,
      '--set',
      `#${second} $.orderId="${other}"`,
      '--set',
      `#${first} $.eventId="chosen"`,
    )
    expect([code, stdout]).toEqual([0, stdout])
    const events = service.received.map(eventOf)
    const changed = events.find(({ eventType }) => eventType === 'CONFIRMED')
    const created = events.find(({ eventId }) => eventId === 'chosen')
    const last = events.find((each) => each !== changed && each !== created)
    // An id of the recording is that of this replay; one that it does not know is sent as it is.
    expect(changed).toMatchObject({ reason: 'late', orderId: last?.orderId })
    expect(created?.eventType).toBe('CREATED')
    expect(last?.orderId).not.toBe(other)
    for (const { text, headers } of service.received)
      expect(headers['x-app-signature']).toBe(
        createHmac('sha256', 'secret').update(text).digest('hex'),
      )
    expect(stdout).toContain(
      `edited  #${second}  receiveOrderEvent: $.reason added: "late"; $.orderId`,
    )
    expect(stdout).toMatch(new RegExp(`^edited  #${first} .*, now "chosen"$`, 'm'))
  })

  test('method, path, query, headers and signature are sent as they were set', async () => {
    await using service = await openService()
    const [first = 0] = numbers('receiveOrderEvent')
    const sets = [
      'method=PUT',
      'path=/elsewhere',
      'query.page=2',
      'header.X-App-Signature=forged',
      'header.X-Foo=bar',
      'delete header.content-type',
    ]
    await replayed(
      service.url,
      '--only',
      `#${first}`,
      ...sets.flatMap((each) => ['--set', `#${first} ${each}`]),
    )
    expect(service.arrived).toHaveLength(1)
    const [{ method, url, headers } = { method: '', url: '', headers: {} }] = service.arrived
    expect([method, url]).toEqual(['PUT', '/elsewhere?page=2'])
    expect(headers).toMatchObject({ 'x-app-signature': 'forged', 'x-foo': 'bar' })
    expect(headers).not.toHaveProperty('content-type')
  })

  test('a token that was set or taken away is not replaced by ours', async () => {
    const [asked = 0] = numbers('listMerchants')
    for (const [edit, sent] of [
      ['header.Authorization=Bearer forged', 'Bearer forged'],
      ['delete header.Authorization', undefined],
    ] as const) {
      await using service = await openService()
      await replayed(service.url, '--only', `#${asked}`, '--set', `#${asked} ${edit}`)
      expect(service.arrived.map(({ headers }) => headers.authorization)).toEqual([sent])
    }
  })

  test("--only '#n' sends it alone, --from begins with it", async () => {
    await using service = await openService()
    const [, second = 0, third = 0] = numbers('receiveOrderEvent')
    await replayed(service.url, '--only', `#${third}`)
    expect(service.arrived.map((each) => eventOf(each).eventType)).toEqual(['CREATED'])
    await replayed(service.url, '--from', `#${second}`)
    expect(service.arrived.slice(1).map((each) => eventOf(each).eventType)).toEqual([
      'CONFIRMED',
      'CREATED',
    ])
    const none = await replayed(service.url, '--from', '#9999')
    expect(none.code).toMatch(/has no exchange #9999: its last is #\d+/)
  })

  test('the JSON report has the edits of each exchange', async () => {
    await using service = await openService()
    const [first = 0] = numbers('receiveOrderEvent')
    const { stdout } = await replayed(service.url, '--json', '--set', `#${first} $.reason="x"`)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { recorded?: object })
    expect(lines.find(({ recorded }) => recorded && 'edits' in recorded)).toMatchObject({
      recorded: { seq: first, edits: ['$.reason added: "x"'] },
    })
  })

  test('all edits that cannot be made are told at once, and nothing is sent', async () => {
    await using service = await openService()
    const [first = 0] = numbers('receiveOrderEvent')
    const { code } = await replayed(
      service.url,
      ...[
        `#${first} status=500`,
        '#9999 $.a=1',
        `#${first} $.a=b`,
        'x',
        `#${first} delete $.zip`,
      ].flatMap((each) => ['--set', each]),
    )
    const lines = String(code).split('\n')
    expect(lines).toHaveLength(5)
    expect(lines).toEqual([
      expect.stringMatching(/status=500: we send it, and the status is the answer/),
      expect.stringMatching(/#9999 \$\.a=1: the recording has no such exchange/),
      expect.stringMatching(/b is no JSON value/),
      expect.stringMatching(/reading --set x: it does not begin with the number/),
      expect.stringMatching(/there is no \$\.zip: the body has .*orderId/),
    ])
    expect(service.arrived).toEqual([])
  })
})

describe('what we answer', () => {
  async function serving(...argv: readonly string[]) {
    const { held, ending } = start(...words`--driver server -p 0 --speed asap --json ${argv}`)
    const url = await vi.waitFor(
      () => {
        const [first = ''] = held.written().stdout.split('\n')
        const ready = JSON.parse(first) as { counterparts: Record<string, string> }
        return ready.counterparts['ordering-application'] ?? ''
      },
      { timeout: 15_000 },
    )
    return { held, ending, ask: await clientAt(url) }
  }

  test('the service gets the changed answer once, and the replay goes on from there', async () => {
    const [read = 0] = numbers('getOrder')
    const [confirm = 0] = numbers('confirmOrder')
    const recordedOrder = exchanges.find(({ seq }) => seq === read)?.orderId ?? ''
    const { held, ending, ask } = await serving(
      '--set',
      `#${read} $.displayId="edited"`,
      '--set',
      `#${confirm} status=409`,
      '--set',
      `#${confirm} $={"error":{"code":"BUSY"}}`,
    )
    const { status, json } = await ask('GET', `/orders/${recordedOrder}`)
    expect([status, json['displayId']]).toEqual([200, 'edited'])
    const body = { estimatedPreparationTimeMinutes: 20 }
    const refused = await ask('POST', `/orders/${recordedOrder}/confirm`, body)
    expect([refused.status, refused.json]).toEqual([409, { error: { code: 'BUSY' } }])
    held.interrupt('SIGINT')
    await ending
    expect(held.written().stderr).toContain(`#${confirm} (edited)`)
    expect(held.written().stdout).toContain(`status 202, now 409`)
  })

  test('an edit of an answer that nobody asked for is told', async () => {
    const [read = 0] = numbers('getOrder')
    const { held, ending } = await serving('--set', `#${read} $.displayId="edited"`)
    held.interrupt('SIGINT')
    await ending
    expect(held.written().stderr).toContain(
      `sparring: #${read} was not played, so its edit had no effect: $.displayId`,
    )
  })
})

test('the recording itself is not changed', async () => {
  await using service = await openService()
  const before = readFileSync(recording)
  const [first = 0] = numbers('receiveOrderEvent')
  await replayed(service.url, '--set', `#${first} $.reason="x"`)
  expect(readFileSync(recording).equals(before)).toBe(true)
})

test('--driver partner decides again: it takes no --set and no --from', async () => {
  const all = ['--driver', 'partner', '--to', 'http://127.0.0.1:1']
  await expect(start(...all, '--set', '#1 $.a=1').ending).rejects.toThrow(
    /reading --set: it is for --driver client or --driver server/,
  )
  await expect(start(...all, '--from', '#1').ending).rejects.toThrow(/reading --from/)
})
