/**
 * `npm run scenarios`: plays every file in scenarios/ against the reference subject in this process, on virtual time,
 * without
 * defects and with each defect that a scenario claims to catch. Takes the arguments of `sparring run`.
 */
import { fileURLToPath } from 'node:url'
import { exitCode } from '../../src/terminal/cli/exit-code.ts'
import { printLine } from '../../src/terminal/cli/io.ts'
import { createProcessIo } from '../../src/sparring/verbs/support/process-io.ts'
import { runProgram } from '../../src/sparring/verbs/support/program.ts'
import { loadScenarios } from '../../src/terminal/cli/run/load-scenarios.ts'
import { type EnvironmentSelector, runScenarios } from '../../src/terminal/cli/run/run-scenarios.ts'
import { runVerb } from '../../src/sparring/verbs/run.ts'
import { Problem } from '../../src/core/base/problem.ts'
import { playInProcess } from './play-scenario-in-process.ts'
import { isForReference, missedDefect, scenarioChecks } from './scenario-check.ts'
import type { RunOptions } from '../../src/terminal/cli/run/run-flags.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const everything = 'scenarios/**/*.yaml'

const inDuel: EnvironmentSelector = ({ loaded, seed, configuration: _checked, input }) => {
  if (!isForReference(loaded)) return { skip: 'the reference service has no tables' }
  return async (_planned, { onStep, enough }) => {
    const { subject: _subject, seed: _seed, faults: _faults, ...session } = input
    const overrides = { configuration: session, seed, onStep, enough }
    return { kind: 'played', outcome: await playInProcess(loaded.run, overrides) }
  }
}

const io = { ...createProcessIo(), cwd: root }

async function prove(options: RunOptions): Promise<number> {
  const loaded = (await loadScenarios(options.scenario, root)).filter(isForReference)
  let missed = 0
  const proofs = scenarioChecks(loaded)
  for (const proof of proofs) {
    const why = await missedDefect(proof)
    if (why === undefined && options.quiet) continue
    if (why !== undefined) missed++
    const mark = why === undefined ? 'ok  ' : 'FAIL'
    const line = why ?? `${proof.defect} breaks ${proof.breaks}`
    await printLine(io.stdout, `${mark}  ${proof.name}: ${line}`)
  }
  await printLine(io.stdout, `${proofs.length} mistakes, ${proofs.length - missed} caught by name`)
  return missed
}

const [play] = runVerb.verbs.filter(({ name }) => name === 'play')
if (!play) throw new Error('sparring run has no play')

const verb = {
  ...play,
  name: 'run',
  run: async (overrides: Readonly<Record<string, unknown>>) => {
    // It is ended and started again in this process.
    const options = { start: 'the reference service', ...overrides } as RunOptions
    const code = await runScenarios(options, io, inDuel)
    if (code !== exitCode.done) return code
    return (await prove(options)) > 0 ? exitCode.failed : exitCode.done
  },
}

try {
  const typed = process.argv.slice(2)
  const named = typed.some((each) => /^[^=]*\.(ya?ml|json|ts)$/.test(each)) ? [] : [everything]
  const program = { name: 'scenarios', summary: '', version: '', verbs: [verb] }
  process.exitCode = await runProgram(program, ['run', ...named, ...typed], io)
} catch (error) {
  if (!(error instanceof Problem)) throw error
  await printLine(io.stderr, error.message)
  process.exitCode = error.exit
}
