/** The reference subjects as processes: started from the command line, run against a session, and stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { ordersOnly } from '../../test/support/orders-only.ts'
import { readCommandLine } from './command-line.ts'
import { until } from '../../test/support/reference/until.ts'
import { openSession } from '../session/open-session.ts'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const main = fileURLToPath(new URL('main.ts', import.meta.url))
const tsconfig = fileURLToPath(new URL('../../tsconfig.json', import.meta.url))

interface Running {
  readonly stdout: () => string
  readonly stderr: () => string
  readonly child: ChildProcess
  readonly code: Promise<number | null>
}

const running = new Set<ChildProcess>()

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})

function start(line: string): Running {
  const child = spawn(process.execPath, ['--import', tsx, main, ...line.split(' ')], {
    env: { PATH: process.env['PATH'], TSX_TSCONFIG_PATH: tsconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
  const code = new Promise<number | null>((resolve) => {
    child.on('close', (status) => {
      running.delete(child)
      resolve(status)
    })
  })
  return { stdout: () => stdout, stderr: () => stderr, child, code }
}

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('as a process', () => {
  test('a Software Service prints its ready line, completes an order, and exits with 0', async () => {
    const port = await freePort()
    await using session = await openSession({
      port: 0,
      capabilities: ordersOnly,
      as: 'software-service',
      subject: `http://127.0.0.1:${port}`,
      counterparts: { 'ordering-application': { processing: 10, channel: 'webhook' } },
    })
    const partner = session.urls.get('ordering-application') ?? ''
    const service = start(
      `--as software-service --partner ${partner} --port ${port} --channel webhook --think 10`,
    )
    await until(() => service.stdout() !== '', 15_000, service.stderr)
    expect(service.stdout()).toBe(`ready  software-service http://127.0.0.1:${port}\n`)
    const made = await session.createOrder({ type: 'TAKEOUT' })
    const orderId = made.ok ? made.value.orderId : ''
    const status = async () => (await session.look({ orderId })).order?.row.status
    await until(async () => (await status()) === 'DELIVERED', 15_000)
    service.child.kill('SIGTERM')
    expect(await service.code).toBe(0)
    expect(service.stderr()).toBe('')
  })

  test('an Ordering Application prints a JSON ready line, waits for its partner, and exits with 0 on SIGINT', async () => {
    const application = start(
      '--as ordering-application --partner http://127.0.0.1:1 --orders 2 --json --speed 10',
    )
    await until(() => application.stdout() !== '', 15_000, application.stderr)
    const ready = JSON.parse(application.stdout()) as { url: string; role: string }
    expect(ready).toMatchObject({ ready: true, role: 'ordering-application', defects: [] })
    const manifest = await fetch(`${ready.url}/.well-known/protocol`)
    expect(await manifest.json()).toMatchObject({ participantId: 'reference-ordering-application' })
    await until(() => application.stderr().includes('nobody answers'))
    application.child.kill('SIGINT')
    expect(await application.code).toBe(0)
    expect(application.stdout().trim().split('\n')).toHaveLength(1)
  })

  test('a port in use ends it with an error message', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const service = start(`--as software-service --partner http://127.0.0.1:1 --port ${port}`)
    expect(await service.code).toBe(3)
    expect(service.stderr()).toContain(`cannot listen on port ${port}`)
    server.close()
  })
})

describe('the command line', () => {
  const partner = ['--partner', 'http://127.0.0.1:7101']

  test('has defaults for everything but role and partner', () => {
    expect(readCommandLine(['--as', 'software-service', ...partner])).toMatchObject({
      kind: 'start',
      line: { channel: 'polling', port: 0, defects: [], speed: 1, json: false },
    })
  })

  test.each([
    [['--as', 'crm', ...partner], '--as is one of software-service, ordering-application'],
    [['--as', 'software-service'], '--partner needs an http or https URL'],
    [['--as', 'software-service', '--partner', 'nowhere'], '--partner needs an http or https URL'],
    [
      ['--as', 'software-service', ...partner, '--poll', 'often'],
      '--poll is a number from 1 on, not "often"',
    ],
    [
      ['--as', 'software-service', ...partner, '--defect', 'forgets-all'],
      'there is no defect forgets-all: see --defects',
    ],
    [['--colour'], "Unknown option '--colour'"],
  ])('reports the error in %j', (args, sentence) => {
    expect(readCommandLine(args)).toEqual({ kind: 'wrong', sentence })
  })

  test('accepts several defects', () => {
    const line = '--as software-service --defect acts-on-202 --defect never-acks'
    const said = readCommandLine([...line.split(' '), ...partner])
    expect(said).toMatchObject({ line: { defects: ['acts-on-202', 'never-acks'] } })
  })
})
