/**
 * Entry point: runs the command line and maps its end to stderr and an exit code. A `Problem` is printed as one
 * sentence per line, any other error as a bug: stack trace and what to report.
 */
import { buildCommit } from '../core/runtime/build-commit.ts'
import { buildVersion, packageVersion } from '../core/runtime/version.ts'
import { Problem } from '../core/base/problem.ts'
import { type ExitCode, exitCode } from '../terminal/cli/exit-code.ts'
import { asTerminalText } from '../terminal/cli/io.ts'
import { createProcessIo } from './verbs/support/process-io.ts'
import { runProgram } from './verbs/support/program.ts'
import { verbs } from './verbs/catalogue.ts'

const summary =
  'A mock partner for the terminal: plays every counterpart of a food-ordering protocol that your service does not.'

/** A command line to be shown to others: `--token hush`, `--token=hush` and `//name:hush@host` lose their values. */
const withoutSecrets = (args: readonly string[]): readonly string[] =>
  args.map((each, index) =>
    /^--\S*(?:token|secret)$/.test(args[index - 1] ?? '')
      ? '…'
      : each.replace(/^(--\S*(?:token|secret)=).*/, '$1…').replace(/\/\/[^/?#@]*@/, '//…@'),
  )

function reportBug(error: unknown): ExitCode {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(
    `${asTerminalText(trace)}\n\nsparring: this is a bug in Sparring, not in your service. Please report the lines above together with:\n` +
      `  sparring ${buildVersion()}, Node ${process.version}, ${process.platform} ${process.arch}\n` +
      `  command: sparring ${withoutSecrets(process.argv.slice(2)).join(' ')}\n`,
  )
  return exitCode.bug
}

async function reportError(error: unknown): Promise<ExitCode> {
  if (!(error instanceof Problem)) return reportBug(error)
  const { displayText } = await import('../core/traffic/redaction/display.ts')
  for (const line of displayText(error.message).split('\n'))
    process.stderr.write(`sparring: ${asTerminalText(line)}\n`)
  return error.exit
}

/**
 * Forces the exit after 500 ms when a leaked handle keeps the process alive. A stdout that could not be written has set
 * its code before.
 */
function end(code: ExitCode): void {
  if (code !== exitCode.done) process.exitCode = code
  setTimeout(() => process.exit(), 500).unref()
}

process.on('uncaughtException', (error) => {
  // At `exit`, after the dashboard has restored the terminal: text on its alternate screen would be lost.
  process.once('exit', () => reportBug(error))
  process.exit(exitCode.bug)
})
const program = {
  name: 'sparring',
  summary,
  version: buildVersion(),
  versionParts: { version: packageVersion(), commit: buildCommit, node: process.version },
  verbs,
}
const neverEnds = (): void => end(reportBug(new Error('the verb waits for what never comes')))
process.once('beforeExit', neverEnds)
void runProgram(program, process.argv.slice(2), createProcessIo())
  .catch(reportError)
  .then((code) => {
    process.removeListener('beforeExit', neverEnds)
    end(code)
  })
