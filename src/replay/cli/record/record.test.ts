// @module-tag slow
/** `sparring record` end to end: between a subject and a partner, over real sockets, into a real file. */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { expect, test, onTestFinished } from 'vitest'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { makeAuthority, makeServerCertificate } from '../../../core/runtime/tls/certificate.ts'
import { createSoftwareService } from '../../../demo/software-service.ts'
import {
  emptyFolder,
  type StartedProcess,
  startSparring,
} from '../../../../test/support/spawn-sparring.ts'
import { openSession } from '../../../core/session/open-session.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'
import { words } from '../../../../test/support/shell-words.ts'

async function serve(answer: RequestListener): Promise<string> {
  const server = await listenOnSocket(answer)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.url
}

interface Proxying {
  readonly each: StartedProcess
  readonly cwd: string
  readonly counterparts: Readonly<Record<string, string>>
}

async function recordTo(args: readonly string[]): Promise<Proxying> {
  const cwd = emptyFolder()
  const each = startSparring(['record', '--port', '0', '--json', ...args], { cwd })
  onTestFinished(async () => {
    each.kill('SIGKILL')
    await each.ended
  })
  const line = (await each.until((text) => text.includes('\n'))).split('\n')[0] ?? ''
  const { counterparts } = JSON.parse(line) as Pick<Proxying, 'counterparts'>
  return { each, cwd, counterparts }
}

async function contentOf(file: string) {
  const read = await readRecording(file)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

test('the proxy is transparent to subject and partner, and every exchange is recorded', async () => {
  await using session = await openSession({
    as: 'software-service',
    port: 0,
    capabilities: {
      indoor: false,
      customer: false,
      reviews: false,
      loyalty: false,
      logistics: false,
    },
    counterparts: {
      'ordering-application': { processing: 5, concludeAfter: 20, deliveries: false },
    },
  })
  const partner = session.urls.get('ordering-application') ?? ''
  const { each, cwd, counterparts } = await recordTo(
    words`--to ${partner} --as software-service --rewrite-manifest -o talk.rec.ndjson`,
  )
  const service = createSoftwareService({
    partner: counterparts['ordering-application'] ?? '',
    base: 'http://software-service.test',
    pace: { pollMs: 20, thinkMs: 10 },
  })
  service.start()
  const made = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = made.ok ? made.value.orderId : ''
  await each.until((text) => text.includes('setOrderReadyForPickup'))
  await service.stop()
  each.kill('SIGINT')
  const { code, stderr } = await each.ended
  expect(code).toBe(0)
  expect(stderr).toMatch(/^sparring: \d+ exchanges in .*talk\.rec\.ndjson\n$/)

  const { header, exchanges, closed, problems } = await contentOf(join(cwd, 'talk.rec.ndjson'))
  expect([closed, problems]).toEqual([true, []])
  expect(header._rec.parties).toEqual([
    { party: 'partner', role: 'ordering-application', base: partner },
    { party: 'subject', role: 'software-service' },
  ])
  const own = exchanges.filter((exchange) => exchange.orderId === orderId)
  expect(own.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['getOrder', 'confirmOrder', 'setOrderPreparing']),
  )
  for (const { from, to } of exchanges) {
    expect(from).toEqual({ role: 'software-service', party: 'subject' })
    expect(to).toEqual({ role: 'ordering-application', party: 'partner' })
  }
  const news = exchanges.filter(({ operation }) => operation === 'pollingEvents')
  expect(news.some(({ eventIds = [] }) => eventIds.length > 0)).toBe(true)
  const text = readFileSync(join(cwd, 'talk.rec.ndjson'), 'utf8')
  expect(text).not.toMatch(/Bearer (?!~tok_)/)
  expect(text).toContain('"via":"proxy"')
})

test('addresses that --rewrite-manifest leaves as they are are named, on stderr and in the recording', async () => {
  const partner = await serve((request, response) => {
    const own = `http://${request.headers.host}`
    const escaped = own.replaceAll('/', '\\/')
    if (request.url?.endsWith('packed')) response.setHeader('content-encoding', 'br')
    response.end(
      `{"orders":"${own}/orders","token":"https://user:pass@login.partner.example/token","old":"${escaped}"}`,
    )
  })
  const { each, cwd, counterparts } = await recordTo(
    words`--to ${partner} --as software-service --rewrite-manifest -o talk.rec.ndjson`,
  )
  const url = counterparts['ordering-application'] ?? ''
  for (let count = 0; count < 2; count++) {
    const answer = await fetch(`${url}/.well-known/protocol`)
    expect(await answer.text()).toContain(`{"orders":"${url}/orders"`)
  }
  await fetch(`${url}/.well-known/packed`).catch(() => undefined)
  each.kill('SIGINT')
  const { stderr } = await each.ended
  const names = `${partner}/.well-known/protocol names https://login.partner.example, ${partner}, left as they are`
  expect(stderr.split(names)).toHaveLength(2)
  expect(stderr).toContain(`${partner}/.well-known/packed is compressed or too long to be read`)
  const lines = readFileSync(join(cwd, 'talk.rec.ndjson'), 'utf8').split('\n')
  const marks = lines.filter((line) => line.includes('"type":"mark"'))
  expect(marks).toHaveLength(2)
  expect(marks[0]).toContain('names https://login.partner.example')
})

test('a rewritten manifest names the URL of --public-url', async () => {
  const partner = await serve((request, response) => {
    response.end(`{"orders":"http://${request.headers.host}/orders"}`)
  })
  const flags =
    '--as software-service -o talk.rec.ndjson --rewrite-manifest --public-url http://recorder'
  const { counterparts } = await recordTo(['--to', partner, ...flags.split(' ')])
  const url = counterparts['ordering-application'] ?? ''
  const answer = await fetch(`${url}/.well-known/protocol`)
  expect(await answer.text()).toBe(`{"orders":"${url.replace('127.0.0.1', 'recorder')}/orders"}`)
})

test('a webhook of the partner is forwarded to the subject and recorded as an event', async () => {
  const heard: string[] = []
  const subject = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => heard.push(chunk.toString()))
    request.on('end', () => response.writeHead(204).end())
  })
  const partner = await serve((_request, response) => response.end('{}'))
  const { each, cwd, counterparts } = await recordTo(
    words`--to ${partner} --as software-service --subject ${subject} -o talk.rec.ndjson`,
  )
  const event = { eventId: 'e-1', eventType: 'CREATED', orderId: 'o-1' }
  const answer = await fetch(`${counterparts['software-service']}/webhooks/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-signature': 'aabbcc' },
    body: JSON.stringify(event),
  })
  expect(answer.status).toBe(204)
  await each.until((text) => text.includes('receiveOrderEvent'))
  each.kill('SIGTERM')
  await each.ended
  expect(heard.join('')).toBe(JSON.stringify(event))
  const { exchanges } = await contentOf(join(cwd, 'talk.rec.ndjson'))
  expect(exchanges[0]).toMatchObject({
    from: { role: 'ordering-application', party: 'partner' },
    to: { role: 'software-service', party: 'subject' },
    operation: 'receiveOrderEvent',
    orderId: 'o-1',
    eventIds: ['e-1'],
  })
})

test('a call that only another role hosts is recorded with that role as the partner', async () => {
  const partner = await serve((_request, response) => response.writeHead(202).end('{}'))
  const { each, cwd, counterparts } = await recordTo(
    words`--to ${partner} --to delivery-platform=${partner} --as software-service -o talk.rec.ndjson`,
  )
  expect(Object.keys(counterparts)).toEqual(['ordering-application', 'delivery-platform'])
  await fetch(`${counterparts['ordering-application']}/logistics/delivery`, { method: 'POST' })
  await each.until((text) => text.includes('createDelivery'))
  each.kill('SIGINT')
  await each.ended
  const { exchanges } = await contentOf(join(cwd, 'talk.rec.ndjson'))
  expect(exchanges[0]?.to.role).toBe('delivery-platform')
})

test('an event that only another role sends is recorded with that role as the partner', async () => {
  const subject = await serve((_request, response) => response.writeHead(204).end())
  const partner = await serve((_request, response) => response.end('{}'))
  const { each, cwd, counterparts } = await recordTo(words`
    --to ${partner} --to delivery-platform=${partner} --as software-service --subject ${subject}
    -o talk.rec.ndjson
  `)
  for (const kind of ['orders', 'delivery'])
    await fetch(`${counterparts['software-service']}/webhooks/${kind}`, {
      method: 'POST',
      body: '{}',
    })
  await each.until((text) => text.includes('receiveDeliveryEvent'))
  each.kill('SIGINT')
  await each.ended
  const { exchanges } = await contentOf(join(cwd, 'talk.rec.ndjson'))
  expect(exchanges.map(({ from }) => from.role)).toEqual([
    'ordering-application',
    'delivery-platform',
  ])
})

test('a port in use is reported, and no recording is created', async () => {
  const taken = new URL(await serve((_request, response) => response.end()))
  const cwd = emptyFolder()
  const { code, stderr } = await runInProcess(
    ['record', '--as', 'software-service', '--to', taken.href, '--port', String(+taken.port - 1)],
    { cwd },
  )
  expect(code).toBe(2)
  expect(stderr).toContain(taken.port)
  expect(stderr).not.toContain('exchanges in')
  expect(existsSync(join(cwd, 'recordings'))).toBe(false)
})

test.each([
  [[], 'no URL of the partner is given. Say it with --to <url>'],
  [['--to', 'partner.example'], '"partner.example" is no http or https URL'],
  [['--to', 'software-service=http://127.0.0.1:1'], 'the software-service is your service itself'],
  [
    ['--to', 'http://127.0.0.1:1', '--to', 'http://127.0.0.1:2'],
    'the ordering-application is named twice',
  ],
])('%j is refused with a reason, and nothing is written', async (args, sentence) => {
  const cwd = emptyFolder()
  const { code, stderr } = await runInProcess(['record', '--as', 'software-service', ...args], {
    cwd,
  })
  expect(code).toBe(2)
  expect(stderr).toContain(sentence)
  expect(existsSync(join(cwd, 'recordings'))).toBe(false)
})

test('a missing subject role is refused', async () => {
  const { code, stderr } = await runInProcess(['record', '--to', 'http://127.0.0.1:1'])
  expect(code).toBe(2)
  expect(stderr).toContain('the role of your service is not given')
})

test('a partner with a private authority: --ca, --insecure, and what to do without them', async () => {
  const authority = makeAuthority(Date.now())
  const { certificate: cert, key } = makeServerCertificate(authority.key, Date.now())
  const partner = createSecureServer(
    { cert, key: key.export({ type: 'pkcs8', format: 'pem' }) },
    (_request, response) => response.end('here'),
  ).listen(0, '127.0.0.1')
  await once(partner, 'listening')
  onTestFinished(() => {
    partner.closeAllConnections()
    partner.close()
  })
  const url = `https://127.0.0.1:${(partner.address() as AddressInfo).port}`
  const ca = join(emptyFolder(), 'ca.pem')
  writeFileSync(ca, authority.certificate)
  const asked = async (...flags: readonly string[]): Promise<string> => {
    const { counterparts } = await recordTo(['--to', url, '--as', 'software-service', ...flags])
    return (await fetch(counterparts['ordering-application'] ?? '')).text()
  }
  expect(await asked('--ca', ca)).toBe('here')
  expect(await asked('--insecure')).toBe('here')
  expect(await asked()).toMatch(
    /could not reach https:.* Name its authority with --ca <file>; --insecure takes any certificate\.\n$/,
  )
})

test.each([
  [
    ['--ca', 'nowhere.pem'],
    'https',
    /^sparring: reading the certificate authority .*nowhere\.pem: /,
  ],
  [
    ['--ca', 'empty.pem'],
    'https',
    /there is no certificate in it\. Name a file .* with --ca <file>/,
  ],
  [['--ca', 'empty.pem'], 'http', /^sparring: reading --ca: no partner of --to has an https URL/],
  [['--insecure'], 'http', /^sparring: reading --insecure: no partner of --to has an https URL/],
  [['--ca', 'empty.pem', '--insecure'], 'https', /Leave one of them out/],
])(
  '%j with %s is refused with a reason, and nothing is written',
  async (flags, scheme, sentence) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'empty.pem'), 'no certificate')
    const args = ['record', '--as', 'software-service', '--to', `${scheme}://127.0.0.1:1`, ...flags]
    const { code, stderr } = await runInProcess(args, { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(sentence)
    expect(existsSync(join(cwd, 'recordings'))).toBe(false)
  },
)

test('what goes through unrecorded is said once', async () => {
  const partner = createServer().on('upgrade', (_request, socket) => {
    socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
  })
  partner.listen(0, '127.0.0.1')
  await once(partner, 'listening')
  onTestFinished(() => void partner.close())
  const { port } = partner.address() as AddressInfo
  const { each, counterparts } = await recordTo(
    words`--to http://127.0.0.1:${port} --as software-service`,
  )
  for (let nth = 0; nth < 2; nth++) {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' }
    const request = httpRequest(counterparts['ordering-application'] ?? '', { headers }).end()
    const [, socket] = (await once(request, 'upgrade')) as [unknown, Duplex]
    socket.destroy()
  }
  each.kill('SIGTERM')
  const { stderr } = await each.ended
  expect(stderr).toMatch(
    /^sparring: a connection went over to websocket: from there on it is not recorded\nsparring: 2 exchanges in /,
  )
})
