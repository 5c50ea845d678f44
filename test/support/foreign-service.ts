/** Starts a service of test/foreign as a process: restaurant POS that share no code with the product. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const foreignServices = {
  express: {
    file: 'express.mjs',
    channel: 'webhook',
    bugs: [
      'late-confirmed',
      'second-line',
      'one-customer',
      'dropped-at-renewal',
      'confirmed-too-late',
    ],
  },
  fastify: { file: 'fastify.mjs', channel: 'polling', bugs: ['repeated-event', 'two-in-one-poll'] },
  python: {
    file: 'pos.py',
    channel: 'webhook',
    bugs: ['option-quantity', 'swallowed-cancellation'],
  },
} as const

export type ForeignServiceName = keyof typeof foreignServices

export interface ForeignServiceOptions {
  /** Absent for the mended service. */
  readonly bug?: string
  /** 0 for a free port. */
  readonly port?: number
  /** Upper bound of the random delay of its answers and calls, in ms. */
  readonly jitterMs?: number
  /** File of its state between runs. */
  readonly state?: string
  readonly partnerUrl?: string
  /** Folder of the service files; that of the repository when absent. */
  readonly folder?: string
}

export interface ForeignService {
  readonly url: string
  readonly stop: () => Promise<void>
}

const own = fileURLToPath(new URL('../foreign/', import.meta.url))

/** The command line of a service. */
export function foreignCommand(
  name: ForeignServiceName,
  { bug, port = 0, jitterMs, state, partnerUrl, folder = own }: ForeignServiceOptions = {},
): readonly [file: string, ...args: string[]] {
  const { file } = foreignServices[name]
  return [
    file.endsWith('.py') ? 'python3' : process.execPath,
    `${folder}${file}`,
    '--port',
    String(port),
    ...(partnerUrl === undefined ? [] : ['--partner', partnerUrl]),
    ...(bug === undefined ? [] : ['--bug', bug]),
    ...(jitterMs === undefined ? [] : ['--jitter', String(jitterMs)]),
    ...(state === undefined ? [] : ['--state', state]),
  ]
}

export async function startForeignService(
  name: ForeignServiceName,
  options: ForeignServiceOptions = {},
): Promise<ForeignService> {
  const [file, ...args] = foreignCommand(name, options)
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let heard = ''
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer): void => {
      heard += data.toString()
      const ready = /^ready (\S+)$/m.exec(heard)?.[1]
      if (ready !== undefined) resolve(ready)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', reject)
    void ended.then(() => reject(new Error(`${name} ended: ${heard}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
