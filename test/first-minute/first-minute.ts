/**
 * `npm run first-minute`: does what a newcomer does first, in a fresh clone and in an empty project with the packed
 * tarball, and prints how many seconds and how many lines of output each takes. Ends with 1 when one takes too long.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { packageFolder, shell, type ShellFolder } from './shell.ts'
import { controlUrl, linesOf, ports, situations } from './situations.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A situation that takes longer has failed. */
const maxSeconds = 120

const after = (seconds: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not over after ${seconds} s`)), seconds * 1000).unref()
  })

const timed = async <Value>(work: () => Value | Promise<Value>): Promise<[number, Value]> => {
  const from = performance.now()
  const value = await work()
  return [(performance.now() - from) / 1000, value]
}

let isSlow = false

interface Measured {
  readonly name: string
  readonly seconds: number
  readonly lines: number
  readonly limit?: number
}

function report(where: string, { name, seconds, lines, limit }: Measured): void {
  const slow = limit !== undefined && seconds > limit
  isSlow ||= slow
  const bound = limit === undefined ? '' : `  at most ${Math.round(limit)} s`
  process.stdout.write(
    `${slow ? 'SLOW' : 'ok  '}  ${where.padEnd(7)}  ${seconds.toFixed(1).padStart(6)} s  ${String(lines).padStart(4)} lines  ${name}${bound}\n`,
  )
}

async function play(where: string, folder: ShellFolder): Promise<void> {
  for (const { name, limit, run } of situations)
    try {
      const [seconds, lines] = await timed(() => Promise.race([run(folder), after(maxSeconds)]))
      report(where, { name, seconds, lines, limit })
    } catch (error) {
      isSlow = true
      process.stdout.write(
        `FAIL  ${where.padEnd(7)}  ${name}: ${error instanceof Error ? error.message : String(error)}\n`,
      )
    }
}

const home = mkdtempSync(join(tmpdir(), 'sparring-first-minute-'))
try {
  const clone = join(home, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone])
  const inClone = packageFolder(clone)
  const [seconds, said] = await timed(() => shell(inClone, 'npm ci').done())
  report('clone', { name: 'npm ci', seconds, lines: linesOf(said) })
  const [startSeconds, lines] = await timed(async () => {
    await using session = shell(inClone, `npm start -- ${ports}`)
    await session.until(controlUrl)
    return linesOf(session.output())
  })
  report('clone', {
    name: 'npm start, until it is ready',
    seconds: startSeconds,
    lines,
    limit: 5,
  })
  await play('clone', inClone)

  execFileSync('npm', ['pack', '--silent', '--pack-destination', home], { cwd: clone })
  const tarball = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? ''
  const project = mkdtempSync(join(home, 'project-'))
  // A clone brings its Node; who installs the package has one of `engines`.
  const inProject = packageFolder(project, dirname(process.execPath))
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  const [installSeconds, installed] = await timed(() =>
    shell(packageFolder(project), `npm i -D ${join(home, tarball)}`).done(),
  )
  report('package', {
    name: 'npm i -D sparring',
    seconds: installSeconds,
    lines: linesOf(installed),
  })
  await play('package', inProject)
} finally {
  rmSync(home, { recursive: true, force: true })
}
// Whatever hung is left behind.
process.exit(isSlow ? 1 : 0)
