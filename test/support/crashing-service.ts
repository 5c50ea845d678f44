/**
 * The reference Software Service as a program for `--start` that goes away in a certain way: `crashing-service.ts <way> <speed>`.
 * `throws`: an answer 5xx to a reading ends it, as an uncaught error does. `hangs`: its only thread waits for ever then.
 * `none`: it is correct. The first one that finds a file `hold` when it has read an order waits to be ended from outside, with its
 * process id in the name of the file.
 */
import { existsSync, renameSync } from 'node:fs'
import { argv, env, pid } from 'node:process'
import { listenAsDemo } from '../../src/demo/listen.ts'

/** Poll interval, think time and reconcile period, in ms of its own clock. */
const pace = { pollMs: 1000, thinkMs: 200, reconcileMs: 12_000 }
const [, , way = 'none', speed = '1'] = argv

const isReading = ({ method, url }: Request): boolean =>
  method === 'GET' && /\/orders\/[^/:]+$/.test(new URL(url).pathname)

function goAway(): void {
  if (way === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  setImmediate(() => {
    throw new TypeError('the order has no body')
  })
}

/** Whoever wants to end it finds it in the middle of its session, however busy the machine is. */
function waitForItsEnd(): void {
  renameSync('hold', `held-${pid}`)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30_000)
}

const { fetch: send } = globalThis
globalThis.fetch = async (...request) => {
  const response = await send(...request)
  const [sent] = request
  if (!(sent instanceof Request) || !isReading(sent)) return response
  if (existsSync('hold')) waitForItsEnd()
  if (way !== 'none' && response.status >= 500) goAway()
  return response
}

const service = await listenAsDemo(Number(env['PORT']))
service.start({
  as: 'software-service',
  partner: env['SPARRING_ORDERING_APPLICATION_URL'] ?? '',
  channel: env['SPARRING_CHANNEL'] === 'webhook' ? 'webhook' : 'polling',
  defects: [],
  pace,
  speed: Number(speed),
  orders: 0,
  orderPauseMs: 0,
  credentials: { clientId: 'subject', clientSecret: 'secret' },
  protocol: 'protocol',
  complain: () => undefined,
})
