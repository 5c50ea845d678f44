/**
 * The commands of README.md and docs/: every `sparring …` line of a `sh` block is parsed with its flags, and the blocks that are
 * not marked `<!-- not run: … -->` are run, page by page (long pages in the nightly), each in an empty folder: what finds
 * processes or depends on time as processes, other commands of ours in this process.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { runProgram } from '../src/sparring/verbs/support/program.ts'
import type { Verb } from '../src/terminal/cli/verb.ts'
import { verbs } from '../src/sparring/verbs/catalogue.ts'
import { runInProcess, startInProcess } from './support/run-in-process.ts'
import { printedLines } from './support/printed-lines.ts'
import { ownCommand, shellWords, splitComment } from './support/shell-words.ts'
import { createTestIo } from './support/test-io.ts'
import { testedCommand } from './support/tested-command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** README.pt-BR.md has the commands of README.md. */
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root }).toSorted()].filter(
  (page) => !/^docs\/cli\b/.test(page),
)

interface Block {
  readonly lines: readonly string[]
  /** Why it is not run; undefined when it is. */
  readonly reason?: string | undefined
}

const blocksOf = (page: string): readonly Block[] =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(
      /(?:<!-- not run: (.*?) -->\n\n)?```sh\n([^]*?)\n```/g,
    ),
    ([, reason, text = '']) => ({ lines: text.split('\n').filter((line) => line !== ''), reason }),
  )

/** A line with its words, without the comment at its end, `npx` and what comes before a pipe or after. */
function wordsOf(line: string): readonly (readonly string[])[] {
  return (
    splitComment(line)
      .command.split(/ \| | > | & |; /)
      .map(shellWords)
      .map((words) => words.slice(words.indexOf('sparring')))
      // `npm i -D sparring` names the package.
      .filter((words) => words[0] === 'sparring' && words.length > 1)
      .map((words) => words.slice(1).filter((word) => word !== '&'))
  )
}

/** The verbs with their flags, and without what they do. */
const inert = (verb: Verb): Verb => ({
  ...verb,
  verbs: verb.verbs.map(inert),
  run: () => Promise.resolve(0),
})

const parsed = pages.flatMap((page) =>
  blocksOf(page).flatMap(({ lines }) =>
    lines.flatMap((line) => wordsOf(line).map((words) => [page, words.join(' '), words] as const)),
  ),
)

test.each(parsed)('%s: sparring %s can be typed', async (_page, _line, words) => {
  const { io, written } = createTestIo()
  const program = { name: 'sparring', summary: '', version: '1', verbs: verbs.map(inert) }
  const code = await runProgram(program, words, io)
  expect({ code, ...written() }).toMatchObject({ code: 0, stderr: '' })
})

/** Lines that go on until they are stopped. */
const isSession = (line: string): boolean =>
  /sparring (?:up|record)\b/.test(line) ||
  (/sparring demo\b/.test(line) &&
    (/^npx sparring demo --service\b/.test(line) || !/--orders/.test(line)) &&
    !/'/.test(line))

/** These name processes, or play against the clock, which other pages in this process would delay. */
const needsProcess = (line: string): boolean =>
  /sparring (?:status|stop|attach|demo|run|certify http|explore --)/.test(line)

/** A folder with `sparring` and `npx` as commands, of the build that is tested. */
function commandFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-bin-'))
  const scripts = {
    sparring: `exec ${process.execPath} ${testedCommand()} "$@"`,
    npx: 'exec "$@"',
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

const commands = commandFolder()

interface Shell {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

function shell(line: string, { cwd, env }: Shell) {
  const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const heard = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString()
      for (const each of heard) each()
    })
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code))
  })
  return { child, ended, output: () => output, heard }
}

const ready = /^ready|"ready":true/m

/** Runs a line that opens a session until it is ready. */
async function openUntilReady(line: string, where: Shell): Promise<AsyncDisposable> {
  const { child, ended, output, heard } = shell(`exec ${line}`, where)
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (ready.test(output())) resolve()
    }
    heard.add(look)
    void ended.then(() => reject(new Error(`${line} ended: ${output()}`)))
  })
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** As a process, but a session in this process: what a page asks of it, it asks its control API. */
async function openInProcess(line: string, where: Shell): Promise<AsyncDisposable> {
  const { ended, written, interrupt } = startInProcess(ownCommand(line)?.argv ?? [], where)
  const early = ended.then(({ stderr }) => Promise.reject(new Error(`${line} ended: ${stderr}`)))
  const isReady = vi.waitFor(() => expect(written().stdout).toMatch(ready), { timeout: 60_000 })
  await Promise.race([isReady, early])
  early.catch(() => undefined)
  return {
    async [Symbol.asyncDispose]() {
      interrupt('SIGTERM')
      await ended
    },
  }
}

/** Runs a line to its end: in this process where it is a command of ours that needs no other. */
async function play(line: string, where: Shell) {
  const own = needsProcess(line) ? undefined : ownCommand(line)
  if (!own) {
    const { ended, output } = shell(line, where)
    return { code: await ended, output: output() }
  }
  const { code, stdout, stderr } = await runInProcess(own.argv, { ...where, into: own.into })
  return { code, output: `${stdout}${stderr}` }
}

const runnable = pages
  .map((page, index) => [page, index] as const)
  .filter(([page]) => blocksOf(page).some(({ reason }) => reason === undefined))

/** What it prints is the first block of README.md. */
const isFirstDemo = (line: string): boolean => /sparring demo .*--defect/.test(line)

async function expectCommandsRun(page: string, index: number): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-docs-'))
  mkdirSync(join(cwd, 'home'))
  cpSync(join(root, 'scenarios'), join(cwd, 'scenarios'), { recursive: true })
  cpSync(join(root, 'examples/dialects/three-letter-codes.yaml'), join(cwd, 'mine.yaml'))
  const first = 20_000 + 10 * ((process.pid * runnable.length + index) % 1000)
  const env = {
    ...process.env,
    PATH: `${commands}${delimiter}${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: join(cwd, 'home'),
    XDG_STATE_HOME: join(cwd, 'home'),
    SPARRING_PORT: String(first),
    SPARRING_CONTROL: `http://127.0.0.1:${first}`,
    NO_COLOR: '1',
  }
  /** The usual ports of Sparring, and that of a service, as ports of the page. */
  const portOf = (port: string): string =>
    String(port === '3000' ? first + 9 : first + Number(port) - 7100)
  let session: AsyncDisposable | undefined
  const endSession = async (): Promise<void> => {
    await session?.[Symbol.asyncDispose]()
    session = undefined
  }
  const all = blocksOf(page).flatMap(({ lines, reason }) => (reason === undefined ? lines : []))
  // These verbs find sessions by their processes.
  const open = all.some((line) => /sparring (?:status|stop|attach|demo|record)\b/.test(line))
    ? openUntilReady
    : openInProcess
  try {
    for (const written of all) {
      const { command, code: expected } = splitComment(written)
      const line = command
        .replace(/ > \S+ &$/, '')
        .replace('--port 7100', '')
        .replaceAll(/(?<=:\/\/127\.0\.0\.1:|--service-port )(710\d|3000)\b/g, (port) =>
          portOf(port),
        )
      // Each takes the ports of the page.
      if (isSession(line) || / demo /.test(line)) await endSession()
      if (isSession(line)) {
        session = await open(line, { cwd, env })
        continue
      }
      const { code, output } = await play(line, { cwd, env })
      if (page === 'README.md' && isFirstDemo(line))
        for (const printed of printedLines(readFileSync(join(root, page), 'utf8')))
          expect(output).toMatch(printed)
      expect({ line, code, ...(code === expected ? {} : { output }) }).toEqual({
        line,
        code: expected,
      })
    }
  } finally {
    await endSession()
  }
}

/** Half a minute of campaigns and more each. What their verbs do has tests of its own, and every line is parsed above. */
const longPages = ['certify', 'chaos', 'contract', 'explore', 'kubernetes', 'record-and-replay']

for (const [page, index] of runnable) {
  const tag = longPages.some((name) => page === `docs/${name}.md`) ? 'nightly' : 'slow'
  test.concurrent(`${page}: its commands run`, { tags: [tag], timeout: 170_000 }, () =>
    expectCommandsRun(page, index),
  )
}
