/** `sparring agent setup`: the entry of `sparring mcp` in the configuration of an agent, which others of its entries outlive. */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { printLine } from '../../terminal/cli/io.ts'
import { defineVerb, defineVerbGroup } from '../../terminal/cli/verb.ts'

/** The keys of `agentFiles`, repeated because that module is loaded when it is needed. */
const agentNames = ['claude', 'cursor', 'vscode', 'codex'] as const

const setup = defineVerb({
  name: 'setup',
  summary: 'add sparring mcp to the configuration of your agent, in the current directory',
  flags: [
    {
      name: 'for',
      value: '<agent>',
      summary: 'the agent; without it the entry of each is printed, and nothing is written',
      choices: agentNames,
    },
    { name: 'print', summary: 'print the entry, and write nothing' },
  ],
  details: `
It writes .mcp.json for Claude Code, .cursor/mcp.json for Cursor, .vscode/mcp.json for VS Code. For Codex it writes
.codex/config.toml where that is there, which Codex reads in a project that you trust; else it prints the entry for
~/.codex/config.toml. Other entries stay as they are, and so does one named sparring.

Examples:
  sparring agent setup --for claude
  sparring agent setup --for codex --print`,
  async run({ for: agent, print }, io) {
    const { addEntry, agentFiles, entryOf } = await import('./support/agent-setup.ts')
    if (agent === undefined || print) {
      const printed = (agent === undefined ? agentNames : [agent]).map(
        (name) => `# ${agentFiles[name].file}\n${entryOf(name)}`,
      )
      await printLine(io.stdout, printed.join('\n').trimEnd())
      if (agent === undefined)
        await printLine(io.stderr, `--for ${agentNames.join('|')} writes one of them`)
      return exitCode.done
    }
    await printLine(io.stdout, await addEntry(agent, io.cwd))
    return exitCode.done
  },
})

export const agentVerb = defineVerbGroup({
  name: 'agent',
  summary: 'set up your agent, so that it starts sparring mcp',
  verbs: [setup],
})
