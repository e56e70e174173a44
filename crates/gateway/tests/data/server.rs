//! A PostgreSQL server of a test's own.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;
use wirewise_testkit::foreign;

/// A server that ends with the test.
pub(crate) struct Server {
    bin: PathBuf,
    folder: TempDir,
    pub(crate) port: u16,
}

/// Nobody may see it.
pub(crate) const PASSWORD: &str = "hunter2";

impl Server {
    /// `None` where there is no PostgreSQL.
    pub(crate) fn start() -> Option<Server> {
        let bin = foreign::postgres()?;
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Server { bin, folder, port };
        let path = server.folder.path();
        std::fs::write(path.join("password"), PASSWORD).unwrap();
        if is_root() {
            // PostgreSQL does not run as root.
            run(Command::new("chown").args(["-R", "postgres"]).arg(path));
        }
        let mut init = server.command("initdb");
        init.args(["--auth=scram-sha-256", "--username=test", "--encoding=UTF8", "--locale=C", "--no-sync"]);
        run(init.arg("--pwfile").arg(path.join("password")).arg("-D").arg(path.join("data")));
        server.up();
        Some(server)
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://test:{PASSWORD}@127.0.0.1:{}/postgres", self.port)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn up(&self) {
        let options =
            format!("-p {} -k {} -c listen_addresses=127.0.0.1 -c fsync=off", self.port, self.folder.path().display());
        let log = self.folder.path().join("log");
        run(self
            .command("pg_ctl")
            .arg("-D")
            .arg(self.data())
            .arg("-o")
            .arg(options)
            .arg("-l")
            .arg(log)
            .args(["-w", "start"]));
    }

    pub(crate) fn down(&self) {
        run(self.command("pg_ctl").arg("-D").arg(self.data()).args(["-m", "immediate", "stop"]));
    }

    /// From now on it takes only connections with TLS.
    pub(crate) fn secure(&self, certificate: &str, key: &str) {
        self.down();
        let data = self.data();
        std::fs::write(data.join("server.crt"), certificate).unwrap();
        std::fs::write(data.join("server.key"), key).unwrap();
        std::fs::write(data.join("pg_hba.conf"), "hostssl all all all scram-sha-256\n").unwrap();
        let mut settings = std::fs::read_to_string(data.join("postgresql.conf")).unwrap();
        settings.push_str("\nssl = on\n");
        std::fs::write(data.join("postgresql.conf"), settings).unwrap();
        run(Command::new("chmod").arg("600").arg(data.join("server.key")));
        if is_root() {
            run(Command::new("chown").args(["-R", "postgres"]).arg(data));
        }
        self.up();
    }

    /// A connection of the test's own.
    pub(crate) async fn client(&self) -> tokio_postgres::Client {
        let (client, connection) = tokio_postgres::connect(&self.url(), tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    fn command(&self, program: &str) -> Command {
        let program = self.bin.join(program);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("runuser");
                command.args(["-u", "postgres", "--"]).arg(program);
                command
            }
            false => Command::new(program),
        };
        command.current_dir("/tmp").stdout(std::process::Stdio::null());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self
            .command("pg_ctl")
            .arg("-D")
            .arg(self.data())
            .args(["-m", "immediate", "stop"])
            .stderr(std::process::Stdio::null())
            .status();
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

fn run(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}
