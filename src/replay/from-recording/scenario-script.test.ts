/** The script of a scenario, run by a shell against a service that polls. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startForeignService } from '../../../test/support/foreign-service.ts'
import { isSoak } from '../../../test/support/soak.ts'
import { commandLine, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { freeServicePort } from '../../terminal/cli/ports.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { scenarioScript } from './scenario-script.ts'
import { shellQuoted } from '../../core/traffic/curl-command.ts'

const twoOrders: ScenarioInput = {
  name: 'o2 is not left at CREATED',
  about: 'Two orders come in one poll.',
  subject: 'software-service',
  channel: 'polling',
  session: { tolerances: { converge: '1s' } },
  orders: { o1: { type: 'TAKEOUT' }, o2: { type: 'TAKEOUT' } },
  steps: [
    { create: ['o1', 'o2'] },
    { await: { status: 'CONFIRMED', order: 'o1', within: '20s' } },
    { await: { acknowledged: 'CREATED', order: 'o2', within: '20s' } },
  ],
  expect: {
    invariants: [],
    statuses: { o2: ['CONFIRMED', 'PREPARING', 'READY', 'DELIVERED'] },
    calls: [{ call: 'confirmOrder', order: 'o1', 'at-most': 1, counting: 'tries' }],
  },
}

/** Starts the service, runs the script, and returns how it ended. */
async function runScript(text: string, bug: string) {
  const folder = emptyFolder()
  const script = join(folder, 'failure.sh')
  writeFileSync(script, text)
  const control = await freeServicePort('127.0.0.1')
  const service = await startForeignService('fastify', {
    bug,
    partnerUrl: `http://127.0.0.1:${control + 1}`,
  })
  const { file, args, env } = commandLine()
  const child = spawn('sh', [script], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      ...env,
      SPARRING: [file, ...args].map(shellQuoted).join(' '),
      SPARRING_PORT: String(control),
      SOFTWARE_SERVICE_URL: service.url,
    },
  })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  await service.stop()
  return { code, printed }
}

test('a cancelled line and a command of the engine are steps of a script', () => {
  const { text = '', untold } = scenarioScript(
    {
      ...twoOrders,
      steps: [
        { create: 'o1' },
        { 'cancel-item': { order: 'o1', line: 2, quantity: 1, reason: "it's out" } },
        { command: { kind: 'delivery.apply', orderId: 'o1', trigger: 'fail' } },
      ],
    },
    'lunch',
  )
  expect(untold).toBeUndefined()
  expect(text).toContain(`cancel_item "$o1" 2 --quantity '1' --reason 'it'\\''s out'`)
  expect(text).toContain(
    `control POST /commands '{"kind":"delivery.apply","orderId":"'"$o1"'","trigger":"fail"}'`,
  )
  expect(spawnSync('sh', ['-n'], { input: text })).toMatchObject({ status: 0 })
})

test('a shell can read it', () => {
  const { text = '' } = scenarioScript(twoOrders, 'lunch')
  expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})

// In the soak: it settles by the clock of the machine.
test.runIf(isSoak)(
  'plays the partner by the control API, and ends with 1 while the failure shows',
  async () => {
    const { text = '' } = scenarioScript(twoOrders, 'lunch')
    const { code, printed } = await runScript(text, 'two-in-one-poll')
    expect(printed).toContain('ok    confirmOrder of o1: at most 1')
    expect(printed).toContain('it is CREATED\nDIFF  o2 is CONFIRMED')
    expect(code).toBe(1)
  },
  60_000,
)

test('says what a script cannot express', () => {
  const dropping: ScenarioInput = {
    ...twoOrders,
    steps: [{ create: 'o1' }, { hold: { event: 'CONFIRMED', order: 'o1' } }],
  }
  const { untold } = scenarioScript(dropping, 'lunch')
  expect(untold).toContain('CONFIRMED')
})
