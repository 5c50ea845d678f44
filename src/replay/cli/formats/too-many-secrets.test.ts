/** Known secrets are bounded: an import that had more of them says so. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { runProgram } from '../../../sparring/verbs/support/program.ts'
import { importVerb } from '../verbs.ts'

const program = { name: 'sparring', summary: 'x', version: '0', verbs: [importVerb] }
const token = (index: number): string => createHash('sha256').update(`${index}`).digest('base64url')
const tokensPerBody = 1000

const bodyOfTokens = (first: number): string =>
  JSON.stringify(
    Array.from({ length: tokensPerBody }, (_, index) => ({ access_token: token(first + index) })),
  )

async function importTokens(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-tokens-'))
  const entries = Array.from({ length: count / tokensPerBody }, (_, body) => ({
    startedDateTime: new Date(1_790_000_000_000 + body).toISOString(),
    time: 1,
    request: { method: 'GET', url: 'http://a.example/', headers: [] },
    response: {
      status: 200,
      headers: [],
      content: {
        mimeType: 'application/json',
        text: bodyOfTokens(body * tokensPerBody),
      },
    },
  }))
  writeFileSync(join(folder, 'x.har'), JSON.stringify({ log: { version: '1.2', entries } }))
  const { io, written } = createTestIo({ cwd: folder, env: { XDG_CONFIG_HOME: folder } })
  await runProgram(program, ['import', 'x.har', '--json'], io)
  return JSON.parse(written().stdout) as { readonly forgottenSecrets?: number }
}

test('secrets that were too many to remember are counted', async () => {
  expect((await importTokens(9000)).forgottenSecrets).toBe(4096)
  expect((await importTokens(1000)).forgottenSecrets).toBeUndefined()
})
