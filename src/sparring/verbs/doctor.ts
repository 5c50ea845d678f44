/** `sparring doctor`: whether a session could start here, and what to do where it could not. */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { jsonFlag, noColorFlag, sessionFlags } from '../../terminal/cli/flags.ts'
import { printJson, printLine } from '../../terminal/cli/io.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

export const doctorVerb = defineVerb({
  name: 'doctor',
  summary:
    'check what a session needs: Node, ports, configuration, terminal, and your service: manifest, token, webhooks, clock',
  flags: [...sessionFlags, jsonFlag, noColorFlag],
  async run({ json, ...flags }, io) {
    const { runDoctorChecks } = await import('./support/doctor-checks.ts')
    const findings = await runDoctorChecks(flags, io)
    if (json) await printJson(io, findings)
    else
      for (const { level, what, remedy } of findings)
        await printLine(
          io.stdout,
          `${level.padEnd(4)} ${remedy === undefined ? what : `${what.replace(/([^.?!])$/, '$1.')} ${remedy}`}`,
        )
    return findings.some(({ level }) => level === 'fail') ? exitCode.failed : exitCode.done
  },
})
