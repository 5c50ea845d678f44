/** Whether a service may be called: one of this machine, or one that `--allow-target` names. */
import { isLoopback } from '../../core/runtime/server/loopback.ts'

export const isAllowedTarget = (
  { hostname, host }: Pick<URL, 'hostname' | 'host'>,
  allowed: readonly string[] = [],
): boolean => isLoopback(hostname) || allowed.some((each) => each === hostname || each === host)
