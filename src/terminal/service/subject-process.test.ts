/** The subject as a child process: SIGTERM, then SIGKILL, without waiting longer than necessary. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createProcessOutput } from './process-output.ts'
import { createCommandFiller } from './subject-environment.ts'
import {
  createSubjectProcess,
  type StartedSubject,
  startSubject,
  type SubjectProcess,
} from './subject-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import {
  Configuration,
  type ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'

const env = { PATH: process.env['PATH'] }
const folder = (): string => mkdtempSync(join(tmpdir(), 'sparring-subject-'))

function started(
  command: string,
  cwd = folder(),
): StartedSubject & { readonly lines: () => readonly string[] } {
  const output = createProcessOutput()
  return { ...startSubject(command, env, cwd, output), lines: output.lines }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('children of the shell get their time for cleanup, although the shell ends at once', async () => {
  const cwd = folder()
  const service = `trap 'sleep 0.4; touch saved; exit' TERM; touch up; while :; do sleep 0.05; done`
  const subject = started(`sh -c "${service}" & wait`, cwd)
  await until(() => existsSync(join(cwd, 'up')))
  await subject.stop()
  expect(existsSync(join(cwd, 'saved'))).toBe(true)
})

test('a process that ignores SIGTERM is killed, and an ended one is not waited for', async () => {
  const cwd = folder()
  const stubborn = started(`trap '' TERM; touch up; while :; do sleep 0.05; done`, cwd)
  await until(() => existsSync(join(cwd, 'up')))
  await stubborn.stop()
  expect(stubborn.endReason()).toBe('it was ended by SIGKILL')

  const over = started('exit 3', cwd)
  await over.end
  // The time for cleanup would never be over.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await over.stop()
  } finally {
    vi.useRealTimers()
  }
  // A process without output has no lines, not one empty line.
  expect({ ended: over.endReason(), output: over.lines() }).toEqual({
    ended: 'it ended with code 3',
    output: [],
  })
})

test('a multi-byte character that is split between two chunks is decoded correctly', async () => {
  const subject = started(`printf 'caf\\303'; sleep 0.3; printf '\\251\\n'`)
  await until(() => subject.lines().join('').length >= 4)
  await subject.stop()
  expect(subject.lines()).toEqual(['café'])
})

const values = { port: '3000', url: 'http://127.0.0.1:3000', 'delivery-platform': '' }

test('a role that is not played has an empty placeholder, which is said once; other braces are the shell’s', () => {
  const said: string[] = []
  const fill = createCommandFiller('--start', (sentence) => said.push(sentence))
  const command =
    'serve --port {port} --platform={delivery-platform} ${HOME} {a,b} {delivery-platform}'
  expect(fill(command, values)).toBe("serve --port 3000 --platform='' ${HOME} {a,b} ''")
  fill(command, values)
  fill('serve {port}', { ...values, port: '' })
  expect(said).toEqual([
    '{delivery-platform} in --start is empty: it is not played in this session',
    '{port} in --start is empty: this session has none',
  ])
})

// Each command prints its arguments in brackets.
const shown = `printf '[%s]'`
test.each([
  ['unquoted', `${shown} --dp {delivery-platform} --port {port}`, '[--dp][][--port][3000]'],
  ['part of a word', `${shown} --dp={delivery-platform}/x {port}`, '[--dp=/x][3000]'],
  ['in double quotes', `${shown} --dp "{delivery-platform}" {port}`, '[--dp][][3000]'],
  ['in single quotes', `${shown} --dp '{delivery-platform}' {port}`, '[--dp][][3000]'],
  ['behind an escaped quote', `${shown} it\\'s {delivery-platform} {port}`, "[it's][][3000]"],
  ['behind quotes in quotes', `${shown} "it's" '"' {delivery-platform} 1`, `[it's]["][][1]`],
  ['of another shell', `sh -c 'printf "[%s]" --dp {delivery-platform} {port}'`, '[--dp][][3000]'],
  ['of another shell, last', `sh -c "printf '[%s]' a {delivery-platform}"`, '[a][]'],
  ['a value that is there', `${shown} --dp {url} {port}`, '[--dp][http://127.0.0.1:3000][3000]'],
])('an empty placeholder stays an argument: %s', async (_, command, printed) => {
  const fill = createCommandFiller('--start', () => undefined)
  const subject = started(fill(command, values))
  await subject.end
  await subject.stop()
  expect(subject.lines()).toEqual([printed])
})

interface Control extends SubjectProcess {
  readonly cwd: string
  readonly pids: () => readonly string[]
  readonly died: readonly string[]
}

/** A service that writes its pid, and what it finds in its folder, and appends to that. */
function controlled(command: string, subject: ConfigurationInput['subject'] = {}): Control {
  const cwd = folder()
  const died: string[] = []
  const processes = createSubjectProcess({
    configuration: Configuration.parse({ subject }),
    channel: 'polling',
    session: () => ({ urls: new Map() }),
    start: command,
    fill: createCommandFiller('--start', () => undefined),
    io: createTestIo({ cwd, env }).io,
    onEnd: (how) => void died.push(how),
  })
  return {
    ...processes,
    cwd,
    died,
    pids: () => processes.output.lines().flatMap((line) => /^\d+$/.exec(line) ?? []),
  }
}

const isRunning = (pid: string): boolean => {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch {
    return false
  }
}

test('a crash ends all of its processes, is not reported as its end, and its folder outlasts it', async () => {
  const subject = controlled(
    "echo $$ >>{folder}/lives; wc -l <{folder}/lives >lives; sh -c 'echo $$; while :; do sleep 0.05; done' & wait",
  )
  subject.start()
  await until(() => subject.pids().length === 1)
  subject.end('KILL')
  subject.end('KILL')
  await subject.ended()
  await until(() => !isRunning(subject.pids()[0] ?? ''))
  expect(subject.current()).toBeUndefined()
  subject.start()
  // It runs.
  subject.start()
  await until(() => subject.pids().length === 2)
  expect(readFileSync(join(subject.cwd, 'lives'), 'utf8').trim()).toBe('2')
  await subject.stop()
  expect(subject.died).toEqual([])
})

test('it is not started before what ignores SIGTERM has been killed, nor after the session', async () => {
  const subject = controlled(`trap '' TERM; echo $$; while :; do sleep 0.05; done`)
  subject.start()
  await until(() => subject.pids().length === 1)
  subject.end('TERM')
  subject.start()
  await until(() => subject.pids().length === 2)
  expect(isRunning(subject.pids()[0] ?? '')).toBe(false)
  subject.end('KILL')
  subject.start()
  await subject.stop()
  expect(subject.current()).toBeUndefined()
  expect(subject.pids()).toHaveLength(2)
})

test('one that ends by itself is reported, and can be started again', async () => {
  const subject = controlled('echo $$; exit 4')
  for (const times of [1, 2]) {
    subject.start()
    await until(() => subject.died.length === times)
  }
  expect(subject.died).toEqual(['it ended with code 4', 'it ended with code 4'])
  expect(subject.pids()).toHaveLength(2)
  await subject.stop()
})

test('each replica has its own port and number, and all have one folder; a crash ends one of them, in turn', async () => {
  const subject = controlled(
    'echo $$; echo {replica} {port} $PORT $SPARRING_REPLICA {folder}; exec sleep 60',
    { url: 'http://127.0.0.1:3000', replicas: ['http://127.0.0.1:3001'] },
  )
  subject.start()
  await until(() => subject.pids().length === 2)
  const running = () => subject.pids().filter(isRunning)
  subject.end('KILL')
  await subject.ended()
  expect(running()).toHaveLength(1)
  expect(subject.current()).toBeUndefined()
  // It is started again, and the other goes on.
  subject.start()
  await until(() => subject.pids().length === 3)
  expect(running()).toHaveLength(2)
  subject.end('KILL')
  await subject.ended()
  subject.start()
  await until(() => subject.pids().length === 4)
  const lives = subject.output
    .lines()
    .filter((line) => line.includes(' '))
    .map((line) => line.split(' '))
  expect(lives.map((words) => words.slice(0, 4).join(' ')).toSorted()).toEqual([
    '1 3000 3000 1',
    '1 3000 3000 1',
    '2 3001 3001 2',
    '2 3001 3001 2',
  ])
  expect(new Set(lives.map(([, , , , path]) => path)).size).toBe(1)
  await subject.stop()
  expect(running()).toEqual([])
  expect(subject.died).toEqual([])
})
