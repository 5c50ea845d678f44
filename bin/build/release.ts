/**
 * `npm run release`: checks that the package may be published, and publishes it with its provenance, which only a CI job can
 * state. Quick checks come first and are all reported; tests, build and package follow only when they pass.
 *
 *   npm run release -- [--dry-run] [--tested]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { changelogSections } from './changelog.ts'
import { installTools } from '../../test/tools/install-tools.ts'
import { packageProblems } from './check-package.ts'
import { commitOf } from './commit.ts'

const ReleasedPackage = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.record(z.string(), z.string()).default({}),
  homepage: z.string().optional(),
  bugs: z.object({ url: z.string() }).optional(),
  repository: z.object({ url: z.string() }).optional(),
})

interface Release {
  readonly root: string
  readonly name: string
  readonly version: string
  /** The commands of the package, by name. */
  readonly bin: Readonly<Record<string, string>>
  /** Where the package says that it lives. */
  readonly addresses: Readonly<Record<'homepage' | 'bugs' | 'repository', string | undefined>>
}

/** What a check found: a sentence for the log, or what is wrong and what to do about it. */
type Finding = { readonly ok: string } | { readonly wrong: string }

/** The output of a command, or the end of what it printed as an error. */
function run(cwd: string, command: string, ...args: readonly string[]): string {
  const shell = process.platform === 'win32'
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    shell,
    encoding: 'utf8',
  })
  if (status === 0) return stdout.trim()
  const printed = `${stdout}${stderr}`.trim().split('\n').slice(-20).join('\n')
  throw new Error(`${[command, ...args].join(' ')} failed: ${error?.message ?? printed}`)
}

function cleanTree({ root }: Release): Finding {
  const changed = run(root, 'git', 'status', '--porcelain')
  return changed === ''
    ? { ok: 'no file differs from the commit' }
    : { wrong: `files differ from the commit; commit or remove them:\n${changed}` }
}

function tagged({ root, version }: Release): Finding {
  const tags = run(root, 'git', 'tag', '--points-at', 'HEAD').split('\n')
  return tags.includes(`v${version}`)
    ? { ok: `the commit is tagged v${version}` }
    : {
        wrong: `the commit is not tagged v${version}, the version in package.json: git tag v${version}`,
      }
}

function inChangelog({ root, version }: Release): Finding {
  const [newest] = changelogSections(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  if (newest?.version !== version)
    return {
      wrong: `the newest section of CHANGELOG.md is about ${newest?.version ?? 'no version'}, not ${version}: write “## [${version}] - <date>”`,
    }
  if (!/^\d{4}-\d\d-\d\d$/.test(newest.date))
    return { wrong: `the section ${version} of CHANGELOG.md has no date, but “${newest.date}”` }
  return newest.text === ''
    ? { wrong: `the section ${version} of CHANGELOG.md says nothing` }
    : { ok: `CHANGELOG.md has ${version} of ${newest.date}` }
}

/** No host ends with `.invalid`, which stands in package.json until the package has a home. */
function addressesFilled({ addresses }: Release): Finding {
  const missing = Object.entries(addresses).flatMap(([name, url = '']) => {
    const { protocol, hostname = '' } = URL.parse(url.replace(/^git\+/, '')) ?? {}
    return protocol === 'https:' && !/(?:^|\.)invalid$/.test(hostname) ? [] : [name]
  })
  return missing.length === 0
    ? { ok: 'homepage, bugs and repository are addresses' }
    : {
        wrong: `package.json has no address yet for ${missing.join(', ')}: replace what is there by the https URL of the project`,
      }
}

/** npm states the provenance with a token that these services give to a job. */
function canStateProvenance(): Finding {
  const { GITHUB_ACTIONS, ACTIONS_ID_TOKEN_REQUEST_URL, GITLAB_CI, SIGSTORE_ID_TOKEN } = process.env
  if (GITHUB_ACTIONS && ACTIONS_ID_TOKEN_REQUEST_URL) return { ok: 'GitHub states the provenance' }
  if (GITLAB_CI && SIGSTORE_ID_TOKEN) return { ok: 'GitLab states the provenance' }
  return {
    wrong:
      'no CI job states the provenance: publish in a job of GitHub Actions with “id-token: write” among its permissions, or of GitLab CI with SIGSTORE_ID_TOKEN among its id_tokens; --dry-run works anywhere',
  }
}

const report = (name: string, finding: Finding): boolean => {
  const good = 'ok' in finding
  process.stdout.write(`${good ? 'ok' : 'WRONG'}  ${name}: ${good ? finding.ok : finding.wrong}\n`)
  return good
}

/** Packs into a folder, and unpacks the package there beside its tarball. */
function packInto(folder: string, { root }: Release): string {
  run(root, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder)
  const name = readdirSync(folder).find((each) => each.endsWith('.tgz'))
  if (name === undefined) throw new Error(`npm pack wrote nothing into ${folder}`)
  run(folder, 'tar', '-xzf', name)
  return join(folder, name)
}

/** Each packed command must print the version with the commit: it was built from what is tagged. */
function builtFromCommit(folder: string, { root, version, bin }: Release): Finding {
  const wanted = `${version} (${commitOf(root)})`
  for (const [name, file] of Object.entries(bin)) {
    const printed = run(folder, process.execPath, join('package', file), '--version')
    if (printed !== wanted) return { wrong: `${name} --version prints ${printed}, not ${wanted}` }
  }
  return { ok: `its commands print ${wanted}` }
}

async function checkedTarball(folder: string, release: Release): Promise<string | undefined> {
  const file = packInto(folder, release)
  const tarball = new Uint8Array(readFileSync(file))
  const problems = await packageProblems(tarball)
  const finding: Finding =
    problems.length > 0
      ? { wrong: problems.join('\n') }
      : { ok: `${tarball.length} bytes as packed; publint and the resolution of types are content` }
  const good = [report('package', finding), report('commit', builtFromCommit(folder, release))]
  return good.every(Boolean) ? file : undefined
}

async function publish(release: Release, isDryRun: boolean, isTested: boolean): Promise<boolean> {
  const { root, name, version } = release
  const quick = [
    report('tree', cleanTree(release)),
    report('tag', tagged(release)),
    report('changelog', inChangelog(release)),
    report('addresses', addressesFilled(release)),
    isDryRun || report('provenance', canStateProvenance()),
  ]
  if (!quick.every(Boolean)) return false
  if (isTested) report('tests', { ok: 'not run: the caller says that they have passed' })
  else {
    run(root, 'npm', 'run', 'test:all')
    run(root, 'npm', 'run', 'nightly', '--', 'package')
    report('tests', { ok: 'npm run test:all and npm run nightly -- package have passed' })
  }
  installTools()
  run(root, 'npm', 'run', 'build')
  report('build', { ok: 'npm run build has passed' })
  const folder = mkdtempSync(join(tmpdir(), 'sparring-release-'))
  try {
    const file = await checkedTarball(folder, release)
    if (file === undefined) return false
    if (isDryRun) return report('publish', { ok: `not done: dry run of ${name} ${version}` })
    run(root, 'npm', 'publish', file, '--provenance', '--access', 'public')
    return report('publish', { ok: `${name} ${version}` })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, tested: { type: 'boolean' } },
  })
  const root = process.cwd()
  const { homepage, bugs, repository, ...manifest } = ReleasedPackage.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  )
  const isDone = await publish(
    { root, ...manifest, addresses: { homepage, bugs: bugs?.url, repository: repository?.url } },
    values['dry-run'] === true,
    values.tested === true,
  )
  process.exitCode = isDone ? 0 : 1
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
