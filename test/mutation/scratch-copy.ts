/**
 * A copy of the working tree in a temporary folder, in which files are changed and tests run; the checkout stays as it
 * is.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createTypeCheck } from './type-check.ts'

export interface TestRun {
  readonly outcome: 'passed' | 'failed' | 'timed out'
  /** The test files that failed; none when the run broke before it reached one. */
  readonly failed: readonly string[]
  /** How long each test file took. */
  readonly durations: ReadonlyMap<string, number>
}

export interface ScratchCopy {
  write(path: string, text: string): void
  /** Runs test files until the first failure. */
  test(files: readonly string[], timeoutMs: number): Promise<TestRun>
  /** Whether the compiler accepts a file or, without one, the whole tree. */
  compiles(path?: string): Promise<boolean>
  remove(): Promise<void>
}

/** Runs a program in a process group of its own, which is killed as a whole when it takes too long. */
function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly timeoutMs: number; readonly env?: NodeJS.ProcessEnv },
): Promise<{ readonly code: number | 'timed out'; readonly pid: number | undefined }> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: 'ignore',
    detached: true,
  })
  return new Promise((resolve) => {
    let late = false
    const killGroup = (): void => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It is gone already.
      }
    }
    const timer = setTimeout(() => {
      late = true
      killGroup()
    }, options.timeoutMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      // What a broken test left running ends with it.
      killGroup()
      resolve({ code: late ? 'timed out' : (code ?? 1), pid: child.pid })
    })
  })
}

const settings =
  'run --root . --config vitest.mutation.config.ts --bail 1 --reporter json --tags-filter !nightly'.split(
    ' ',
  )

/** What Vitest's JSON reporter writes, as far as it is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly startTime: number
    readonly endTime: number
  }[]
}

export function createScratchCopy(root: string): ScratchCopy {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'sparring-mutation-')))
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0'))
    if (path !== '' && existsSync(join(root, path)))
      cpSync(join(root, path), join(home, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'junction')
  const bin = (path: string): string => join(root, 'node_modules', path)
  const reportFile = join(home, '.cache/report.json')
  const typeCheck = createTypeCheck(home)

  return {
    write(path, text) {
      writeFileSync(join(home, path), text)
      typeCheck.changed(path)
    },
    async test(files, timeoutMs) {
      rmSync(reportFile, { force: true })
      const { code, pid } = await run(
        bin('vitest/vitest.mjs'),
        [...settings, '--outputFile', reportFile, ...files],
        { cwd: home, timeoutMs },
      )
      // What tested-build.ts removes when it is not killed.
      rmSync(bin(`.cache/sparring-tested-${pid}`), { recursive: true, force: true })
      if (code === 'timed out') return { outcome: code, failed: [], durations: new Map() }
      const report: Report = existsSync(reportFile)
        ? JSON.parse(readFileSync(reportFile, 'utf8'))
        : { testResults: [] }
      const pathOf = (name: string): string => name.slice(home.length + 1)
      return {
        outcome: code === 0 ? 'passed' : 'failed',
        failed: report.testResults
          .filter(({ status }) => status === 'failed')
          .map(({ name }) => pathOf(name)),
        durations: new Map(
          report.testResults.map(({ name, startTime, endTime }) => [
            pathOf(name),
            endTime - startTime,
          ]),
        ),
      }
    },
    compiles: typeCheck.accepts,
    remove() {
      const closed = typeCheck.close()
      rmSync(home, { recursive: true, force: true })
      return closed
    },
  }
}
