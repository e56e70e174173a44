struct Job {
  1: i32 retries = 5
}
