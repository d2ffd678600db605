import { Component, type ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'

interface AppErrorBoundaryProps {
  children: ReactNode
  /** Called before the children are tried again, to forget what failed. */
  onReset?: () => void
}

/** Keeps a fault in one part of the screen from emptying all of it. React itself logs the fault. */
export class AppErrorBoundary extends Component<AppErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <ErrorState message="Something went wrong" onRetry={this.retry} />
  }

  private retry = () => {
    this.props.onReset?.()
    this.setState({ failed: false })
  }
}
