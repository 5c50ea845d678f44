/** `sparring status`: the sessions that run on this machine. */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { jsonFlag, noColorFlag } from '../../terminal/cli/flags.ts'
import { printJson, printLine } from '../../terminal/cli/io.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

export const statusVerb = defineVerb({
  name: 'status',
  summary: 'list the sessions that run on this machine',
  flags: [jsonFlag, noColorFlag],
  details: `
It lists what sparring up, record and replay --driver server of this user have started. Stop one with: sparring stop`,
  async run({ json }, io) {
    const { readSessionRegistry } = await import('../../core/runtime/registry/session-registry.ts')
    const { reportBrokenFiles, sessionJson, sessionText } =
      await import('./support/session-status.ts')
    const registry = readSessionRegistry()
    await reportBrokenFiles(registry, io)
    const { sessions } = registry
    if (json) await printJson(io, await Promise.all(sessions.map(sessionJson)))
    else if (sessions.length === 0)
      await printLine(io.stderr, 'no session runs; start one with: sparring up')
    else await printLine(io.stdout, (await Promise.all(sessions.map(sessionText))).join('\n\n'))
    return exitCode.done
  },
})
