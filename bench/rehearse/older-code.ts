import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The tag before this commit, or 20 commits before it where there is none. */
export function olderCommit(root: string): string {
  try {
    return git(root, ['describe', '--tags', '--abbrev=0', 'HEAD^'])
  } catch {
    return 'HEAD~20'
  }
}

/** Another commit's code in a folder, with this one's packages and pages. Returns how to remove it. */
export function checkOut(root: string, commit: string, folder: string): () => void {
  git(root, ['worktree', 'add', '--detach', folder, commit])
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name))
  return () => void git(root, ['worktree', 'remove', '--force', folder])
}

function git(root: string, args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
