import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from '../../../test/support/run-in-process.ts'

const emptyProject = (): string => mkdtempSync(join(tmpdir(), 'sparring-agent-'))
const server = { command: 'npx', args: ['sparring', 'mcp'] }

/** A project with this file. */
function projectWith(file: string, text: string): string {
  const cwd = emptyProject()
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), text)
  return cwd
}

const setUp = (cwd: string, ...more: readonly string[]) =>
  runInProcess(['agent', 'setup', ...more], { cwd })

test.each([
  ['claude', '.mcp.json', { mcpServers: { sparring: server } }],
  ['cursor', '.cursor/mcp.json', { mcpServers: { sparring: server } }],
  ['vscode', '.vscode/mcp.json', { servers: { sparring: { type: 'stdio', ...server } } }],
])('for %s %s is written, and once more nothing changes', async (agent, file, value) => {
  const cwd = emptyProject()
  const first = await setUp(cwd, '--for', agent)
  expect(first).toEqual({ code: 0, stdout: `${file}: sparring was added\n`, stderr: '' })
  const text = readFileSync(join(cwd, file), 'utf8')
  expect(JSON.parse(text)).toEqual(value)
  expect((await setUp(cwd, '--for', agent)).stdout).toBe(
    `${file}: it has an entry sparring, which stays as it is\n`,
  )
  expect(readFileSync(join(cwd, file), 'utf8')).toBe(text)
  expect((await setUp(cwd, '--for', agent, '--print')).stdout).toBe(`# ${file}\n${text}`)
})

test.each([
  ['{}', { mcpServers: { sparring: server } }],
  ['{ "mcpServers": {} }\n', { mcpServers: { sparring: server } }],
  [
    '{\n\t"inputs": [ "mcpServers" ],\n\t"mcpServers": {\n\t\t"other": { "url": "https://a.example/{\\"}" }\n\t}\n}',
    {
      inputs: ['mcpServers'],
      mcpServers: { sparring: server, other: { url: 'https://a.example/{"}' } },
    },
  ],
  ['{"theme":{"mcpServers":{}}}', { theme: { mcpServers: {} }, mcpServers: { sparring: server } }],
])('what %s holds stays, to the character', async (before, value) => {
  const cwd = projectWith('.mcp.json', before)
  expect((await setUp(cwd, '--for', 'claude')).code).toBe(0)
  const after = readFileSync(join(cwd, '.mcp.json'), 'utf8')
  expect(JSON.parse(after)).toEqual(value)
  // The text before stands around what was added.
  const same = Array.from(before).findIndex((character, index) => after[index] !== character)
  const end = after.length - (before.length - same)
  expect(after.slice(0, same) + after.slice(end)).toBe(before)
})

test.each([
  ['{\n  // mine\n  "mcpServers": {}\n}', /no JSON, which knows no comments either \(.*line 2/],
  ['', /no JSON/],
  ['[]', /it is no object/],
  ['{ "mcpServers": null }', /mcpServers is no object/],
  ['{ "mcpServers": [] }', /mcpServers is no object/],
])('a file that is %j is refused, and left as it is', async (text, why) => {
  const cwd = projectWith('.mcp.json', text)
  const { code, stdout, stderr } = await setUp(cwd, '--for', 'claude')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^sparring: adding sparring to \.mcp\.json: /)
  expect(stderr).toMatch(why)
  expect(stderr).toContain('Add the entry yourself: sparring agent setup --for claude --print')
  expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe(text)
})

const table =
  '[mcp_servers.sparring]\ncommand = "npx"\nargs = ["sparring", "mcp"]\ntool_timeout_sec = 900\n'

test('for codex the file of the project is extended where it is there, else the entry is printed', async () => {
  const none = emptyProject()
  const printed = await setUp(none, '--for', 'codex')
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining(table) as string })
  expect(printed.stdout).toContain('add this to ~/.codex/config.toml')
  expect(existsSync(join(none, '.codex'))).toBe(false)
  const before = 'model = "a"\n\n[mcp_servers.other]\ncommand = "b"'
  const cwd = projectWith('.codex/config.toml', before)
  expect((await setUp(cwd, '--for', 'codex')).stdout).toBe(
    '.codex/config.toml: sparring was added\n',
  )
  const after = `${before}\n\n${table}`
  expect(readFileSync(join(cwd, '.codex/config.toml'), 'utf8')).toBe(after)
  expect((await setUp(cwd, '--for', 'codex')).stdout).toMatch(/stays as it is/)
  expect(readFileSync(join(cwd, '.codex/config.toml'), 'utf8')).toBe(after)
})

test.each([
  ['[mcp_servers."sparring"]\ncommand = "mine"\n', 0],
  ['[ mcp_servers.sparring.env ]\nA = "1"\n', 0],
  ['mcp_servers = { other = { command = "b" } }\n', 2],
  ['mcp_servers.other.command = "b"\n', 2],
  ['[mcp_servers]\nother = { command = "b" }\n', 2],
])('a table of Codex that is %j stays as it is', async (text, code) => {
  const cwd = projectWith('.codex/config.toml', text)
  expect((await setUp(cwd, '--for', 'codex')).code).toBe(code)
  expect(readFileSync(join(cwd, '.codex/config.toml'), 'utf8')).toBe(text)
})

test('without --for the entry of each agent is printed, and nothing is written', async () => {
  const cwd = emptyProject()
  const { code, stdout, stderr } = await setUp(cwd)
  expect(code).toBe(0)
  expect(stdout.match(/^# \S+$/gm)).toEqual([
    '# .mcp.json',
    '# .cursor/mcp.json',
    '# .vscode/mcp.json',
    '# .codex/config.toml',
  ])
  expect(stderr).toBe('--for claude|cursor|vscode|codex writes one of them\n')
  expect(existsSync(join(cwd, '.mcp.json'))).toBe(false)
})

test.skipIf(process.getuid?.() === 0)('a file that cannot be written is a problem', async () => {
  const cwd = projectWith('.mcp.json', '{}')
  chmodSync(cwd, 0o500)
  const { code, stderr } = await setUp(cwd, '--for', 'claude')
  chmodSync(cwd, 0o700)
  expect(code).toBe(2)
  expect(stderr).toContain('permission is denied')
})
