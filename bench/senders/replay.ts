/** Sends webhooks at a fixed rate by an absolute schedule: replayed by the product, or hand-written with one timer. */
import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { serveIpc, type IpcCalls } from '../ipc.ts'
import { loadBuiltLibrary } from '../built-library.ts'
import { createWebhookRecording } from '../webhook-recording.ts'
import { measureCpu } from '../servers/process-usage.ts'

type Timed = IpcCalls['timed']
type TimedSend = (give: Timed['give']) => Promise<Timed['get']>

interface ReplaySenderOptions {
  readonly root: string
  readonly port: number
  readonly way: 'ours' | 'by hand'
}

const { root, port, way } = JSON.parse(process.argv[2] ?? '{}') as ReplaySenderOptions

/** CPU microseconds of the process since this call, per webhook. */
function startCpuMeter(count: number): () => number {
  const before = measureCpu().cpuMicros
  return () => (measureCpu().cpuMicros - before) / count
}

async function sendByReplay({ count, perSecond }: Timed['give']): Promise<Timed['get']> {
  const { replayRecording } = await loadBuiltLibrary(root)
  const recording = createWebhookRecording(count)
  const cpuPerWebhook = startCpuMeter(count)
  const { timing, counts } = await replayRecording({
    recording,
    to: `http://127.0.0.1:${port}`,
    port: 0,
    pace: { mode: 'rate', perSecond },
  })
  if (!timing || counts.same !== count) throw new Error(`${counts.same} of ${count} came out alike`)
  const { lateness } = timing
  return {
    p50: lateness.p50,
    p99: lateness.p99,
    perSecond: timing.perSecond,
    cpuMicros: cpuPerWebhook(),
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function post(body: string): Promise<void> {
  const signature = createHmac('sha256', 'secret').update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-app-signature': signature,
  }
  const url = `http://127.0.0.1:${port}/webhooks/orders`
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
      .on('error', reject)
      .end(body)
  })
}

/** One timer for the next due time of the schedule; sends everything that is due. */
async function sendByHand({ count, perSecond }: Timed['give']): Promise<Timed['get']> {
  const bodies = createWebhookRecording(count).exchanges.map(({ request: { body = '' } }) => body)
  const lateness = createHistogram()
  const sent: Promise<void>[] = []
  const cpuPerWebhook = startCpuMeter(count)
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const startAt = performance.now() + 10
  const dueAt = (index: number): number => startAt + (index * 1000) / perSecond
  await new Promise<void>((resolve) => {
    let next = 0
    const wake = (): void => {
      for (; next < count && dueAt(next) <= performance.now(); next++) {
        lateness.record(Math.max(1, Math.round((performance.now() - dueAt(next)) * 1000)))
        sent.push(post(bodies[next] ?? ''))
      }
      if (next >= count) resolve()
      else setTimeout(wake, Math.max(0, dueAt(next) - performance.now()))
    }
    wake()
  })
  const tookMs = performance.now() - startAt
  await Promise.all(sent)
  loop.disable()
  // The monitor samples every millisecond and includes that millisecond in the delay.
  const delayMs = (nanos: number): number => Math.max(0, nanos / 1e6 - 1)
  return {
    p50: lateness.percentile(50) / 1000,
    p99: lateness.percentile(99) / 1000,
    perSecond: (count * 1000) / tookMs,
    cpuMicros: cpuPerWebhook(),
    loopMs: {
      p50: delayMs(loop.percentile(50)),
      p99: delayMs(loop.percentile(99)),
      most: delayMs(loop.max),
    },
  }
}

const senders: Readonly<Record<ReplaySenderOptions['way'], TimedSend>> = {
  ours: sendByReplay,
  'by hand': sendByHand,
}

serveIpc({ usage: measureCpu, timed: senders[way], stop: () => ({}) }, { port: 0, token: '' })
