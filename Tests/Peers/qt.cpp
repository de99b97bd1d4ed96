// SPDX-License-Identifier: MIT
#define QT_NO_KEYWORDS
#include "probe.hpp"
#include <QtCore/QIODevice>
#include <QtCore/QProperty>

/* The signal comes from Qt itself, so that no code is generated here. */
struct peer : QIODevice {
    using connection = QMetaObject::Connection;
    connection connect(std::function<void(int)> handler) {
        return QObject::connect(this, &QIODevice::bytesWritten, [handler](qint64 number) { handler(int(number)); });
    }
    void send(int number) { bytesWritten(number); }
    void stop(connection &connection) { QObject::disconnect(connection); }
    std::unique_ptr<QObject> object(std::function<void(int)> handler) {
        auto object = std::make_unique<QObject>();
        QObject::connect(this, &QIODevice::bytesWritten, object.get(),
                         [handler](qint64 number) { handler(int(number)); });
        return object;
    }
    qint64 readData(char *, qint64) override { return 0; }
    qint64 writeData(const char *, qint64) override { return 0; }
};

int main() {
    std::printf("version: %s\n", qVersion());
    probe::askAllButFailing<peer>();
    probe::failing<peer>();
    QProperty<int> one(1);
    QProperty<int> ten([&] { return 10 * one.value(); });
    QProperty<int> sum([&] { return one.value() + ten.value(); });
    std::vector<int> values;
    auto observing = sum.onValueChanged([&] { values.push_back(sum.value()); });
    one = 2;
    one = 3;
    probe::computed(values);
}
