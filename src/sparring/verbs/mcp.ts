/** `sparring mcp`: the verbs as tools for agents, by the Model Context Protocol. */
import { mcpFlags } from '../mcp/mcp-flags.ts'
import { defineVerb, type Verb } from '../../terminal/cli/verb.ts'

export const createMcpVerb = (verbs: () => readonly Verb[]): Verb =>
  defineVerb({
    name: 'mcp',
    summary:
      'serve agents: sessions, orders, faults, verdicts, run, explore … as MCP tools on stdio',
    flags: mcpFlags,
    details: `
An agent starts it and talks to it on stdin and stdout. In the configuration of most agents:

  { "mcpServers": { "sparring": { "command": "npx", "args": ["sparring", "mcp"] } } }

Sessions that it starts run in this process, and end with it. A session that runs already is used when it is named, by --control
or in a call. A flag of a tool that a call leaves open is read from the environment, as on the command line.

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
