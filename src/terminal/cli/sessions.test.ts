// @module-tag slow
/** The sessions of a machine, by processes: listed, found by the verbs, and stopped. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  emptyFolder,
  killAll,
  type ProcessResult,
  runSparring,
  type StartedProcess,
  startSparring,
} from '../../../test/support/spawn-sparring.ts'
import { words } from '../../../test/support/shell-words.ts'

const started: StartedProcess[] = []
afterEach(() => killAll(started))

interface Machine {
  readonly folder: string
  readonly start: (...args: readonly string[]) => Promise<Running>
  readonly run: (...args: readonly string[]) => Promise<ProcessResult>
  readonly listed: () => Promise<readonly Listed[]>
}

interface Running {
  readonly each: StartedProcess
  readonly pid: number
  readonly control: string
  readonly counterparts: Readonly<Record<string, string>>
}

interface Listed {
  readonly pid: number
  readonly [member: string]: unknown
}

/** A user of a machine: the processes share the folder of session files. */
function machine(): Machine {
  const folder = emptyFolder()
  const env = { XDG_STATE_HOME: folder }
  const run = (...args: readonly string[]) => runSparring(args, { env })
  return {
    folder,
    run,
    async start(verb = '', ...args) {
      const each = startSparring([verb, '--port', '0', '--json', ...args], { env, cwd: folder })
      started.push(each)
      const line = (await each.until((text) => text.includes('\n'))).split('\n')[0] ?? ''
      return { each, ...(JSON.parse(line) as Omit<Running, 'each'>) }
    },
    listed: async () => JSON.parse((await run('status', '--json')).stdout) as readonly Listed[],
  }
}

test('status lists what runs, and stop ends the only session as SIGTERM would and prints its summary', async () => {
  const { run, start, listed } = machine()
  expect(await run('status')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'no session runs; start one with: sparring up\n',
  })
  const none = await run('stop')
  expect([none.code, none.stderr]).toEqual([
    3,
    'sparring: stopping a session: none runs on this machine. See what runs with: sparring status\n',
  ])
  expect(await run('stop', '--all')).toMatchObject({ code: 0, stderr: 'no session runs\n' })

  const { each, pid, control, counterparts } = await start(
    ...words`up --as software-service --seed 7 --record talk.rec.ndjson`,
  )
  expect(await listed()).toMatchObject([
    { pid, verb: 'up', control, counterparts, seed: 7, answers: true, role: 'software-service' },
  ])
  const text = (await run('status')).stdout
  expect(text).toMatch(new RegExp(`^${pid} {2}sparring up, since \\d\\d:\\d\\d\\n`))
  expect(text).toContain(`\n  control               ${control}\n`)
  expect(text).toMatch(/\n {2}recording {13}\/.*talk\.rec\.ndjson\n/)
  expect(text).toContain(`sparring stop ${pid}\n`)

  const stopped = await run('stop')
  expect(stopped).toMatchObject({ code: 0, stderr: '' })
  expect(stopped.stdout).toMatch(
    /^stopped session \d+ \(since \d\d:\d\d\)\n {2}0 orders, 0 open; .*Seed 7/,
  )
  expect(stopped.stdout).toContain('talk.rec.ndjson\n')
  expect(await each.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(await listed()).toEqual([])
})

test('of several sessions one is stopped by its id, a port or its URL; verbs find the only one, and its token', async () => {
  const { run, start, listed } = machine()
  const [first, second, third] = [
    await start('up', 'crm'),
    await start('up', 'crm'),
    await start('up', 'crm', '--token', 'hush'),
  ]
  for (const problem of [await run('stop'), await run('orders')]) {
    expect(problem.code).toBe(2)
    expect(problem.stderr).toContain('choosing a session: 3 run on this machine. Name one')
    expect(problem.stderr).toContain(`${second.pid}  since `)
  }
  const port = new URL(first.counterparts['crm'] ?? '').port
  expect(await run('stop', port)).toMatchObject({ code: 0 })
  expect(await run('stop', second.control)).toMatchObject({ code: 0 })
  expect((await listed()).map(({ pid }) => pid)).toEqual([third.pid])

  expect((await run('status')).stdout + (await run('status', '--json')).stdout).not.toContain(
    'hush',
  )
  expect(await run('agenda')).toMatchObject({ code: 0 })
  expect(await run('agenda', '--control', third.control)).toMatchObject({ code: 0 })
  expect(await run('stop', 'nothing')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('control URL "nothing". See what runs') as string,
  })
  expect(await run('stop', String(third.pid), '--json')).toMatchObject({ code: 0 })
  for (const { each } of [first, second, third])
    expect(await each.ended).toMatchObject({ code: 0, signal: null })
})

test('a recording proxy has no control API: it is stopped by a signal, and its recording is complete', async () => {
  const { run, start, listed, folder } = machine()
  const { each, pid, counterparts } = await start(
    ...words`record --to http://127.0.0.1:1 --as software-service -o talk.rec.ndjson`,
  )
  expect(await listed()).toMatchObject([{ pid, verb: 'record', answers: true }])
  await fetch(`${counterparts['ordering-application']}/orders/1`)
  expect(await run('stop', '--all')).toMatchObject({ code: 0, stderr: '' })
  expect(await each.ended).toMatchObject({ code: 0, signal: null })
  expect(readFileSync(join(folder, 'talk.rec.ndjson'), 'utf8')).toContain('"type":"end"')
})

test('a session that was killed is listed no more, and a file that is none of ours is told', async () => {
  const { run, start, listed, folder } = machine()
  const { each } = await start('up', 'crm')
  each.kill('SIGKILL')
  await each.ended
  expect(await listed()).toEqual([])
  writeFileSync(join(folder, 'sparring', 'sessions', 'strange.json'), '{')
  const { code, stderr } = await run('status')
  expect(code).toBe(0)
  expect(stderr).toMatch(/strange\.json was left out: it is no JSON\. Remove it if/)
})

test('a session that cannot be listed runs all the same, and says so', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'file'), '')
  const nowhere = join(folder, 'file', 'state')
  const env = { XDG_STATE_HOME: nowhere, TMPDIR: nowhere }
  const each = startSparring(['up', 'crm', '--port', '0'], { env })
  started.push(each)
  await each.until((text) => text.includes('ready'))
  expect(each.stderr()).toMatch(/^sparring: sparring status will not list this session: writing /)
})
