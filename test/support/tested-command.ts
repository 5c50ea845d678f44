/**
 * The command line as it is shipped, made once for all test files when the first of them asks for it: a process started from the
 * sources compiles for half a second, and tests start a hundred. It is a copy of `dist` where that is of these sources and this
 * commit, as after `npm ci`, and built otherwise; `dist` is left alone because it may be in use.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../../bin/build/build-if-stale.ts'
import { commitOf } from '../../bin/build/commit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Longer than a build takes on a busy machine. */
const longestBuildMs = 120_000

interface Packed {
  readonly files: readonly string[]
}

/** What `dist` is built of, as it says itself. */
const isOfThisCommit = (): boolean =>
  execFileSync(process.execPath, ['bin/sparring.js', '--version'], {
    cwd: root,
    encoding: 'utf8',
  }).includes(`(${commitOf(root)})`)

function build(folder: string): void {
  const isCopied = isBuilt() && isOfThisCommit()
  if (!isCopied)
    execFileSync(process.execPath, ['bin/build/build.ts', join(folder, 'dist')], { cwd: root })
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Packed
  // What begins with `!` is left out of the tarball by npm.
  for (const each of ['package.json', 'bin', ...files.filter((file) => !file.startsWith('!'))])
    if (isCopied || (each !== 'dist' && each !== 'schemas'))
      cpSync(join(root, each), join(folder, each), {
        recursive: true,
        // Its declarations are built by those that need them.
        filter: (path) => !path.endsWith('.d.ts'),
      })
}

/** True for the one process that makes the folder, which builds; the others wait. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** The path of the built command; undefined outside of a test run. */
export function testedCommand(): string | undefined {
  const command = process.env['SPARRING_TESTED']
  if (command === undefined) return undefined
  const folder = dirname(dirname(command))
  const mark = join(folder, 'built')
  if (existsSync(mark)) return command
  if (makeFolder(folder)) {
    build(folder)
    writeFileSync(mark, '')
    return command
  }
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; !existsSync(mark); waited += 50) {
    if (waited > longestBuildMs)
      throw new Error(`the build of another test file is not in ${folder}: it failed, or hangs`)
    Atomics.wait(never, 0, 0, 50)
  }
  return command
}

/** The folder of the built package. */
export const testedPackage = (): string => dirname(dirname(testedCommand() ?? ''))
