/** The changelog of this package, as `npm run release` asks for it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changelogSections } from '../bin/build/changelog.ts'

test('the changelog of this package begins with its version, and every section says something', () => {
  const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const text = read('CHANGELOG.md')
  const sections = changelogSections(text)
  expect(sections[0]?.version).toBe(version)
  expect(sections).toHaveLength([...text.matchAll(/^## /gm)].length)
  for (const { date, text: body } of sections) {
    expect(date).toMatch(/^(\d{4}-\d\d-\d\d|Unreleased)$/)
    expect(body).toMatch(/^### (Added|Changed|Deprecated|Removed|Fixed|Security)\n\n- /m)
  }
})
