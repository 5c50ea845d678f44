/** Runs the command line in this process, with what main.ts makes of its end: what a verb does shows without a start of Node. */
import { packageVersion } from '../../src/core/runtime/version.ts'
import { Problem } from '../../src/core/base/problem.ts'
import type { ExitCode } from '../../src/terminal/cli/exit-code.ts'
import { runProgram } from '../../src/sparring/verbs/support/program.ts'
import { verbs } from '../../src/sparring/verbs/catalogue.ts'
import { emptyFolder } from './spawn-sparring.ts'
import { createTestIo } from './test-io.ts'

interface InProcessResult {
  readonly code: ExitCode
  readonly stdout: string
  readonly stderr: string
}

/** Problems are printed as by main.ts; a bug is thrown. */
export async function runInProcess(
  argv: readonly string[],
  { cwd = emptyFolder(), env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<InProcessResult> {
  const { io, written } = createTestIo({
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
  })
  const program = { name: 'sparring', summary: '', version: packageVersion(), verbs }
  try {
    return { code: await runProgram(program, argv, io), ...written() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { stdout, stderr } = written()
    const lines = error.message.split('\n').map((line) => `sparring: ${line}\n`)
    return { code: error.exit, stdout, stderr: `${stderr}${lines.join('')}` }
  }
}
