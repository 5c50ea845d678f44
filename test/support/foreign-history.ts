/** Makes a git history of a foreign service, in which one commit brings its bug. */
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from './spawn-sparring.ts'
import { type ForeignServiceName, foreignServices } from './foreign-service.ts'

export interface ForeignHistory {
  readonly folder: string
  /** The hashes of its commits, the oldest first. */
  readonly commits: readonly string[]
}

const root = new URL('../../', import.meta.url)

const nobody = { name: 'Nobody', email: 'nobody@example.com' }
const gitEnvironment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: nobody.name,
  GIT_AUTHOR_EMAIL: nobody.email,
  GIT_COMMITTER_NAME: nobody.name,
  GIT_COMMITTER_EMAIL: nobody.email,
}

/** Runs git in a folder without the configuration of this machine; returns what it prints. */
export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    env: gitEnvironment,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()

/** The places in the services where a bug is off unless it is asked for. */
const bugDefault = /(flag\(parser, "bug", ")(?=")|(^ +bug: ')(?=')/m

function withBug(source: string, bug: string): string {
  if (!bugDefault.test(source)) throw new Error('the service has no default for its bug')
  return source.replace(bugDefault, (opening) => `${opening}${bug}`)
}

/** Each commit adds a line that changes nothing; from number `first` on the bug is there. */
export function createForeignHistory(
  service: ForeignServiceName,
  bug: string,
  { count, first }: { readonly count: number; readonly first: number },
): ForeignHistory {
  const folder = emptyFolder()
  const { file } = foreignServices[service]
  const source = readFileSync(new URL(`test/foreign/${file}`, root), 'utf8')
  const comment = file.endsWith('.py') ? '#' : '//'
  git(folder, 'init', '--quiet', '--initial-branch=main')
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n')
  let edits = ''
  const commits: string[] = []
  for (let number = 1; number <= count; number++) {
    edits += `${comment} change ${number}\n`
    writeFileSync(join(folder, file), `${number < first ? source : withBug(source, bug)}\n${edits}`)
    git(folder, 'add', file)
    git(folder, 'commit', '--quiet', '--message', `change ${number}`)
    commits.push(git(folder, 'rev-parse', 'HEAD'))
  }
  return { folder, commits }
}
