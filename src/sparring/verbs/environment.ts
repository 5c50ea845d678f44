/** The verbs about the machine and other programs: doctor, completion and mcp. */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { jsonFlag, noColorFlag, sessionFlags } from '../../terminal/cli/flags.ts'
import { printJson, printLine } from '../../terminal/cli/io.ts'
import { defineVerb, type Verb } from '../../terminal/cli/verb.ts'
import { writeWithBackpressure } from '../../core/runtime/recording/write-with-backpressure.ts'
import { mcpFlags } from '../mcp/mcp-flags.ts'

/** `sparring doctor`: whether a session could start here, and what to do where it could not. */
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

/**
 * `sparring completion`: prints a completion script for a shell. Takes the list of verbs as a
 * function, because the list contains this verb too.
 */
export const createCompletionVerb = (verbs: () => readonly Verb[]): Verb =>
  defineVerb({
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [
      { name: 'shell', summary: 'the shell', required: true, choices: ['bash', 'zsh', 'fish'] },
    ],
    details: `
Examples:
  source <(sparring completion bash)      in ~/.bashrc
  source <(sparring completion zsh)       in ~/.zshrc
  sparring completion fish | source       in ~/.config/fish/config.fish`,
    async run({ shell }, io) {
      const { bashScript, fishScript, completionContexts, zshScript } =
        await import('./support/completion.ts')
      const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell]
      await writeWithBackpressure(io.stdout, script(completionContexts(verbs())))
      return exitCode.done
    },
  })

/** `sparring mcp`: the verbs as tools for agents, by the Model Context Protocol. */
export const createMcpVerb = (verbs: () => readonly Verb[]): Verb =>
  defineVerb({
    name: 'mcp',
    summary:
      'serve agents: sessions, orders, faults, verdicts, run, explore … as MCP tools on stdio',
    flags: mcpFlags,
    details: `
An agent starts it and talks to it on stdin and stdout. In the configuration of most agents:

  { "mcpServers": { "sparring": { "command": "npx", "args": ["sparring", "mcp"] } } }

Sessions that it starts run in this process, and end with it. A session that runs already is changed or ended only when it is named,
by --control or in a call; while none was started here, the only one that runs is read without a name. A flag of a tool that a call leaves open is read from the environment, as on the command line.

Examples:
  sparring mcp --list                                     the tools
  sparring mcp --folder ~/shop --read-only
  sparring mcp --control http://127.0.0.1:7100            the session that runs there

It ends with 0 when the agent closes stdin.`,
    async run(options, io) {
      const { runMcp } = await import('../mcp/run-mcp.ts')
      return runMcp(options, io, verbs())
    },
  })
