/**
 * The checks of `sparring doctor`: each finding is ok, or a warning or a failure with a remedy. The checks leave
 * nothing behind.
 */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { callRefusal } from '../../../core/runtime/files/file-access.ts'
import { listenFailure } from '../../../core/runtime/server/listen-problem.ts'
import { lowestNode } from '../../../core/runtime/version.ts'
import { Problem } from '../../../core/base/problem.ts'
import {
  type CheckFinding,
  okFinding,
  problemFinding,
} from '../../../core/session/service-check/finding.ts'
import { rolePorts, playedRoles } from '../../../core/session/settings.ts'
import { startTls } from '../../../core/session/tls.ts'
import { isCi, type Io } from '../../../terminal/cli/io.ts'
import { listenError } from '../../../terminal/cli/ports.ts'
import { readSessionOptions, type SessionFlags } from '../../../terminal/cli/session-options.ts'

const failed = (what: string, remedy: string): CheckFinding => problemFinding('fail', what, remedy)

/** All findings, in display order. */
export async function runDoctorChecks(
  flags: SessionFlags,
  io: Io,
): Promise<readonly CheckFinding[]> {
  const node = checkNodeVersion()
  try {
    const { configuration, file } = await readSessionOptions(flags, io.cwd)
    const read = okFinding(
      file === undefined ? 'no configuration file: defaults and flags' : `${file} is valid`,
    )
    return [
      node,
      read,
      checkFaultSpecs(configuration),
      ...(await checkCertificates(configuration)),
      ...(await checkPorts(configuration)),
      ...(await checkSubject(configuration)),
      checkTerminal(io),
      await checkRecording(configuration, io.cwd),
    ]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const remedy = 'The ports, your service and the recording were not looked at.'
    return [node, failed(error.message, remedy), checkTerminal(io)]
  }
}

function checkNodeVersion(): CheckFinding {
  const what = `Node ${process.versions.node}`
  return process.versions.node.localeCompare(lowestNode(), 'en', { numeric: true }) >= 0
    ? okFinding(what)
    : failed(what, `Install Node ${lowestNode()} or later.`)
}

/** Invalid faults have already been rejected while the configuration was read. */
function checkFaultSpecs({ faults }: Configuration): CheckFinding {
  if (faults.length === 0) return okFinding('faults: none from the beginning')
  const texts = faults.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  return okFinding(`faults from the beginning: ${texts.join('  ')}`)
}

/** Named certificate files exist and match; a certificate that a session would generate is not generated here. */
async function checkCertificates({
  tls,
  host,
  subject,
}: Configuration): Promise<readonly CheckFinding[]> {
  const named = typeof tls === 'object'
  if (!named && subject.ca === undefined) return []
  try {
    await startTls({ tls: named ? tls : false, host, subject })
    return [okFinding('certificates: the files that are named can be used')]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [failed(error.message, 'Correct tls, or ca of the subject.')]
  }
}

async function checkPorts(configuration: Configuration): Promise<readonly CheckFinding[]> {
  const { host, port } = configuration
  if (port === 0) return [okFinding('ports: free ones are chosen at the start')]
  const portOf = rolePorts(configuration)
  const wanted = [
    { who: 'control', number: port },
    ...playedRoles(configuration).map((role) => ({ who: role, number: portOf(role) })),
  ]
  return Promise.all(
    wanted.map(async ({ who, number }) => {
      const error = await listenError(host, number)
      if (!error) return okFinding(`port ${number} is free for ${who}`)
      const [wrong, remedy] = await listenFailure(number, error)
      return failed(`port ${number} for ${who}: ${wrong}`, remedy)
    }),
  )
}

async function checkSubject(configuration: Configuration): Promise<readonly CheckFinding[]> {
  const { url } = configuration.subject
  if (url === undefined) return [okFinding('your service: no URL is given, so it is not called')]
  const refusal = callRefusal(url)
  if (refusal) return [problemFinding('warn', 'your service was not called', refusal.message)]
  const { checkService } = await import('../../../core/session/service-check/service-check.ts')
  return checkService(configuration)
}

/** A terminal is optional: without one `up` writes log lines. */
function checkTerminal({ isTTY, columns, rows, color, env }: Io): CheckFinding {
  if (!isTTY) return okFinding('terminal: none, so up writes log lines')
  if (isCi(env)) return okFinding('terminal: CI is set, so up writes log lines')
  const what = `terminal: ${env['TERM'] ?? 'unknown'}, ${columns}x${rows}, ${color ? 'colours' : 'no colours'}`
  if (env['TERM'] === 'dumb') return okFinding(`${what}, so up writes log lines`)
  return columns < 80 || rows < 24
    ? problemFinding(
        'warn',
        what,
        'Make it 80x24 or larger: the dashboard leaves things out below that.',
      )
    : okFinding(what)
}

/** The nearest existing ancestor folder: missing ones are created when recording begins. */
async function nearestExistingFolder(folder: string): Promise<string> {
  try {
    await stat(folder)
    return folder
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!missing || dirname(folder) === folder) throw error
    return nearestExistingFolder(dirname(folder))
  }
}

async function checkRecording({ recording }: Configuration, cwd: string): Promise<CheckFinding> {
  if (recording.file === undefined) return okFinding('recording: none is asked for')
  const file = resolve(cwd, recording.file)
  try {
    const existing = await stat(file).catch(() => undefined)
    const folder = await nearestExistingFolder(dirname(file))
    if (!(await stat(folder)).isDirectory())
      return failed(`recording: ${folder} is no folder`, 'Correct --record.')
    await access(existing ? file : folder, constants.W_OK)
    if (existing?.isDirectory()) {
      const { foreignFileIn: strangerIn } =
        await import('../../../core/runtime/recording/recording-folder.ts')
      const stranger = strangerIn(file)
      if (stranger !== undefined)
        return failed(
          `recording: ${file} is a folder with ${stranger} in it, which is no part of a long recording`,
          'Name a file in it, or a folder of its own.',
        )
    }
    if (!recording.redact && !recording.unsafe) {
      const { rawRecordingRefusal: whyNotRaw } =
        await import('../../../core/runtime/recording/raw-recording.ts')
      const refusal = whyNotRaw(file)
      if (refusal !== undefined) return failed(refusal, 'Correct --record.')
    }
    return okFinding(`recording: ${file} can be ${existing ? 'gone on with' : 'made'}`)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return failed(`recording: ${file}: ${why}`, 'Correct --record.')
  }
}
