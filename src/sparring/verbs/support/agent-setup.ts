/** The entry of `sparring mcp` in the files from which agents read their servers: as text, and added to what is there. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isMap, parseDocument } from 'yaml'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { problem } from '../../../core/base/problem.ts'
import { saveText } from '../../../core/runtime/files/output.ts'
import { readTextFile } from '../../../core/runtime/files/text-file.ts'

interface AgentFile {
  /** Where the agent looks for it, from the folder of the project. */
  readonly file: string
  /** The member with the servers; absent for a file in TOML. */
  readonly servers?: string
  /** The entry, or the whole table. */
  readonly entry: string
}

const command = '"command": "npx", "args": ["sparring", "mcp"]'

export const agentFiles = {
  claude: { file: '.mcp.json', servers: 'mcpServers', entry: `{ ${command} }` },
  cursor: { file: '.cursor/mcp.json', servers: 'mcpServers', entry: `{ ${command} }` },
  vscode: {
    file: '.vscode/mcp.json',
    servers: 'servers',
    entry: `{ "type": "stdio", ${command} }`,
  },
  codex: {
    file: '.codex/config.toml',
    entry:
      '[mcp_servers.sparring]\ncommand = "npx"\nargs = ["sparring", "mcp"]\ntool_timeout_sec = 900\n',
  },
} as const satisfies Readonly<Record<string, AgentFile>>

export type AgentName = keyof typeof agentFiles

const member = ({ entry }: AgentFile): string => `"sparring": ${entry}`

/** A whole file that has nothing else. */
export function entryOf(agent: AgentName): string {
  const settings: AgentFile = agentFiles[agent]
  return settings.servers === undefined
    ? settings.entry
    : `{\n  "${settings.servers}": {\n    ${member(settings)}\n  }\n}\n`
}

type Added = { readonly text: string } | 'is there' | { readonly wrong: string }

/** JSON with the entry as the first of its servers; all other characters stay as they are. */
function addToJson(text: string, settings: AgentFile & { readonly servers: string }): Added {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { wrong: `it is no JSON, which knows no comments either (${why})` }
  }
  const servers = isUnknownRecord(value) && settings.servers in value ? value[settings.servers] : {}
  if (!isUnknownRecord(value) || !isUnknownRecord(servers))
    return { wrong: `${isUnknownRecord(value) ? settings.servers : 'it'} is no object` }
  if (Object.hasOwn(servers, 'sparring')) return 'is there'
  const root = parseDocument(text, { uniqueKeys: false }).contents
  const list = isMap(root) ? root.get(settings.servers, true) : undefined
  const [parent, added, indent] = isMap(list)
    ? [list, member(settings), '    ']
    : [root, `"${settings.servers}": {\n    ${member(settings)}\n  }`, '  ']
  if (!isMap(parent) || !parent.range) return { wrong: 'it is no object' }
  const at = parent.range[0] + 1
  const end = parent.items.length > 0 ? ',' : `\n${indent.slice(2)}`
  return { text: `${text.slice(0, at)}\n${indent}${added}${end}${text.slice(at)}` }
}

/** TOML with the table at its end. */
function addToToml(text: string, { entry }: AgentFile): Added {
  const name = String.raw`(?:sparring|"sparring"|'sparring')`
  const table = new RegExp(String.raw`^\s*\[\s*mcp_servers\s*\.\s*${name}\s*[\].]`, 'm')
  if (table.test(text)) return 'is there'
  // Tables that are written in one line, or by dotted names, may hold anything.
  return /^\s*(?:mcp_servers\b|\[\s*mcp_servers\s*\])/m.test(text)
    ? { wrong: 'its mcp_servers are no tables of their own' }
    : {
        text: `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}${entry}`,
      }
}

/** Adds the entry to the file of the agent; resolves with what was done, as a sentence. */
export async function addEntry(agent: AgentName, cwd: string): Promise<string> {
  const settings: AgentFile = agentFiles[agent]
  const { file, servers } = settings
  const path = resolve(cwd, file)
  const text = existsSync(path) ? await readTextFile(file, path) : undefined
  const remedy = `Add the entry yourself: sparring agent setup --for ${agent} --print shows it.`
  if (servers === undefined && text === undefined)
    return `# There is no ${file} here: add this to ~/${file}\n${settings.entry.trimEnd()}`
  const added: Added =
    text === undefined
      ? { text: entryOf(agent) }
      : servers === undefined
        ? addToToml(text, settings)
        : addToJson(text, { ...settings, servers })
  if (added === 'is there') return `${file}: it has an entry sparring, which stays as it is`
  if ('wrong' in added) throw problem(`adding sparring to ${file}`, added.wrong, remedy)
  const saved = await saveText(file, added.text, { cwd })
  if (!saved.ok) throw problem(`adding sparring to ${file}`, saved.error, remedy)
  return `${file}: sparring was added`
}
